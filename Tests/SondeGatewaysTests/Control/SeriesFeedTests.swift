import Glibc
import SondeDomain
import SondeEngine
import SondeFormats
import SondeGateways
import SondeTestKit
import Testing

/// The last points of series, asked for and subscribed to.
@Suite struct SeriesFeedTests {
    private let updates = SeriesUpdates()
    private let channel: SourceChannel

    init() {
        let (log, clock) = (RecordingLog(), SystemClock())
        let ledger = LossLedger(log: log)
        let spool = MemorySpool(epoch: "e", maxBytes: 1 << 20, overflow: .dropOldest)
        channel = SourceChannel(
            id: "kernel", descriptor: PluginDescriptor(name: "fake", kind: .source, version: "1", summary: ""),
            labels: [], host: nil, pipeline: Pipeline(spool: spool, ledger: ledger, clock: clock), ledger: ledger,
            log: log, clock: clock, listeners: .init(updates: updates))
    }

    private func bench(_ limits: ControlServer.Limits = .init()) throws -> ControlBench {
        let list = ListSeries { [channel] in [channel] }
        return try ControlBench(
            limits: limits,
            handlers: [SeriesHandler(list)],
            feeds: { [updates] counts in [SeriesFeed(list, updates, counts: counts)] })
    }

    private func open(_ member: Int, _ name: String = "m") -> UInt64 {
        channel.openSeries(
            SeriesSpecification(
                name: name, kind: .gauge, unit: "1", attributes: [Attribute("member", "\(member)")]))
    }

    private func commit(_ members: some Sequence<Int>, _ value: Double = 1, _ name: String = "m") {
        let samples = members.map { Sample(series: open($0, name), time: nil, value: .double(value)) }
        #expect(channel.commit(samples, checkpoint: nil, rejections: []) == .taken)
    }

    private func watch(_ bench: ControlBench, _ arguments: String = "") throws -> SocketClient {
        let client = try bench.client()
        try client.write("{\"request\":\"series.watch\"\(arguments)}\n")
        return client
    }

    private func read(_ client: SocketClient) throws -> JSONValue {
        let line = try #require(try client.line())
        return try JSONReader.parse(line)
    }

    /// The state of a client that handles each line as specified, once all pages were received.
    private func follow(
        _ client: SocketClient,
        until isReached: ([UInt64: Double]) -> Bool
    ) throws -> (known: [UInt64: Double], restarts: Int) {
        var (known, restarts): ([UInt64: Double], Int) = ([:], 0)
        while !isReached(known) {
            let line = try read(client)
            if line["restart"] != nil {
                restarts += 1
                known = [:]
            }
            let points = line["series"] ?? line["update"]
            for item in points?["items"]?.asArray ?? [] {
                known[item["id"]?.asUInt64 ?? 0] = item["value"]?.asDouble
            }
            for id in points?["ended"]?.asArray ?? [] { known[id.asUInt64 ?? 0] = nil }
        }
        return (known, restarts)
    }

    @Test func anItemTellsEverythingOfItsSeries() throws {
        commit([1])
        let bench = try bench()
        let client = try bench.client()
        let line = try #require(try client.ask("series"))
        #expect(line.hasPrefix(#"{"ok":true,"series":{"items":[{"id":"#))
        #expect(
            line.contains(
                #","source":"kernel","name":"m","kind":"gauge","unit":"1","attributes":{"member":"1"},"time":"2"#))
        #expect(line.hasSuffix(#"Z","value":1.0}]}}"#))
    }

    @Test func tenThousandSeriesComeInPages() throws {
        commit(0..<10_000)
        let bench = try bench()
        var (seen, next, pages): ([UInt64], JSONValue?, Int) = ([], nil, 0)
        repeat {
            let after = next.map { [JSONValue.Member("after", $0)] } ?? []
            let page = try ControlClient(path: bench.path).ask("series", after, for: "series")
            let items = page["items"]?.asArray ?? []
            #expect(items.count <= 1_000)
            seen += items.compactMap { $0["id"]?.asUInt64 }
            next = page["next"]
            pages += 1
        } while next != nil
        #expect(pages >= 10)
        #expect(seen.count == 10_000)
        #expect(seen == Set(seen).sorted())
    }

    @Test func aPageIsBoundedInBytesToo() throws {
        let long = String(repeating: "x", count: 20_000)
        let samples = (0..<200).map { index in
            let handle = channel.openSeries(
                SeriesSpecification(
                    name: "m", kind: .gauge, unit: "1", attributes: [Attribute("member", "\(index) \(long)")]))
            return Sample(series: handle, time: nil, value: .double(1))
        }
        #expect(channel.commit(samples, checkpoint: nil, rejections: []) == .taken)
        let bench = try bench()
        let page = try ControlClient(path: bench.path).ask("series", for: "series")
        let count = page["items"]?.asArray?.count ?? 0
        #expect(count > 10 && count < 100)
        #expect(page["next"] == page["items"]?.asArray?.last?["id"])
    }

    @Test(arguments: [
        #""names":"m""#, #""names":[1]"#, #""source":1"#, #""after":-1"#,
        #""names":["1","2","3","4","5","6","7","8","9","10","11","12","13","14","15","16","17"]"#,
    ])
    func wrongArgumentsAreRefused(_ arguments: String) throws {
        let bench = try bench()
        let client = try bench.client()
        try client.write("{\"request\":\"series\",\(arguments)}\n")
        #expect(try client.line()?.contains("SND-CTL011") == true)
    }

    @Test func aWatcherIsSentPagesThenPointsAndEnds() throws {
        commit(0..<2_500, 1)
        let bench = try bench()
        let client = try watch(bench)
        let first = try follow(client) { $0.count == 2_500 }
        #expect(first.restarts == 0)
        commit([7], 5)
        channel.closeSeries(open(8))
        commit([9], 6)
        let id = try #require(first.known.keys.min())
        let second = try follow(client) { $0[id + 7] == 5 && $0[id + 9] == 6 }
        #expect(second.restarts == 0)
        #expect(try bench.counts()["watchers"]?.asInt64 == 1)
    }

    @Test func aWatcherOfSomeNamesIsSentNoOthers() throws {
        commit([1], 1, "a")
        commit([1], 1, "b")
        let bench = try bench()
        let client = try watch(bench, #","names":["b*"],"source":"kernel""#)
        #expect(try read(client)["series"]?["items"]?.asArray?.compactMap { $0["name"]?.asString } == ["b"])
        commit([1], 2, "a")
        commit([1], 3, "b")
        let items = try read(client)["update"]?["items"]?.asArray
        #expect(items?.compactMap { $0["value"]?.asDouble } == [3])
    }

    @Test func aWatcherThatLagsBeginsAnewAndOthersDoNot() throws {
        commit(0..<1_000, 0)
        var limits = ControlServer.Limits()
        limits.idle = .seconds(600)
        let bench = try bench(limits)
        let (slow, quick) = (try watch(bench), try watch(bench))
        for value in 1...30 {
            commit(0..<1_000, Double(value))
            let seen = try follow(quick) { $0.values.count { $0 == Double(value) } == 1_000 }
            #expect(seen.restarts == 0)
        }
        #expect(try bench.counts()["lagged"]?.asInt64 ?? 0 >= 1)
        let seen = try follow(slow) { $0.values.count { $0 == 30 } == 1_000 }
        #expect(seen.restarts >= 1)
        commit([5], 31)
        #expect(try follow(slow) { $0.values.contains(31) }.restarts == 0)
    }

    @Test func whatIsCommittedWhilePagesAreReadIsNotLost() throws {
        commit(0..<5_000, 0)
        let bench = try bench()
        let clients = try (0..<5).map { _ in try watch(bench) }
        // Ends and values meet pages that are under way.
        for round in 1...5 {
            channel.closeSeries(open(round))
            commit((0..<5_000).filter { $0 > 5 }, Double(round))
        }
        commit([0], 9)
        for client in clients {
            // An update that waited while a page was read may be older than the page.
            let seen = try follow(client) { known in
                known.values.contains(9) && known.values.count { $0 == 5 } == 4_994
            }
            #expect(seen.known.count == 4_995)
        }
    }

    @Test func nothingIsKeptOnceTheLastWatcherHasGone() throws {
        let bench = try bench()
        do {
            let client = try watch(bench)
            _ = try read(client)
        }
        try bench.wait { $0["watchers"]?.asInt64 == 0 }
        commit([1])
        guard case .nothing = updates.take(atMost: 1) else {
            Issue.record("points are kept for nobody")
            return
        }
    }
}
