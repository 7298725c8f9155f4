import Glibc
import SondeDomain
import SondeEngine
import SondeFormats
import SondeTestKit

@testable import SondeGateways

/// How the fuzzer's bytes become one side of a control connection: one that selects which, then what the other has sent.
enum ControlFuzzInput {
    /// The invariants that reading breaks.
    static func brokenInvariants(_ input: UnsafeRawBufferPointer) -> [String] {
        guard let first = input.first else { return [] }
        let bytes = Array(input.dropFirst())
        switch first % 3 {
        case 0: return brokenCuts(of: bytes) + brokenRequests(bytes, for: .change)
        case 1: return brokenRequests(bytes, for: .read)
        default: return brokenAnswers(bytes)
        }
    }

    // MARK: Requests

    /// Where the bytes of lines are cut must not matter.
    private static func brokenCuts(of bytes: [UInt8]) -> [String] {
        let whole = lines([bytes[...]])
        for place in stride(from: 1, to: bytes.count, by: max(bytes.count / 8, 1)) {
            guard lines([bytes[..<place], bytes[place...]]) == whole else { return ["cut at \(place), others come"] }
        }
        return []
    }

    private static func lines(_ pieces: [ArraySlice<UInt8>]) -> [ControlLineBuffer.Line] {
        var buffer = ControlLineBuffer()
        var lines: [ControlLineBuffer.Line] = []
        for piece in pieces {
            buffer.append(piece)
            while let line = buffer.next() { lines.append(line) }
        }
        return lines
    }

    private static func brokenRequests(_ bytes: [UInt8], for permission: ControlPermission) -> [String] {
        let dispatcher = dispatcher()
        var broken: [String] = []
        for line in lines([bytes[...]]) {
            switch dispatcher.reply(to: line, for: permission) {
            case .ready(let answer): broken += brokenRules(ofAnswer: answer)
            case .later(let work): broken += brokenRules(ofAnswer: work())
            case .subscribe(let feed, let arguments): broken += subscribe(to: feed, arguments)
            case nil: break
            }
        }
        return broken
    }

    private static func subscribe(to feed: any ControlFeed, _ arguments: JSONValue) -> [String] {
        guard let subscription = try? feed.subscribe(arguments) else { return [] }
        defer { subscription.end() }
        var broken: [String] = []
        for _ in 0..<4 {
            switch subscription.next() {
            case .lines(let lines): broken += brokenRules(ofAnswer: lines)
            case .work(let work): broken += brokenRules(ofAnswer: work())
            case .nothing: return broken
            }
        }
        return broken
    }

    private static func brokenRules(ofAnswer answer: [UInt8]) -> [String] {
        guard answer.last == 0x0a, answer.count(where: { $0 == 0x0a }) == 1 else { return ["an answer is one line"] }
        guard let json = try? JSONReader.parse(answer) else { return ["an answer is JSON"] }
        guard let isGood = json["ok"]?.asBool else { return ["an answer is good or not"] }
        let error = json["error"]
        let isError = error?["code"]?.asString != nil && error?["message"]?.asString != nil
        return isGood == (error == nil) && isGood != isError ? [] : ["an answer is one or an error"]
    }

    /// Answers every request but `reload`, which waits.
    private static func dispatcher() -> ControlDispatcher {
        let (log, clock) = (RecordingLog(), ManualClock())
        let ledger = LossLedger(log: log)
        let spool = MemorySpool(epoch: "e", maxBytes: 1 << 20, overflow: .dropOldest)
        spool.addReader("central", .durable, wants: .metrics)
        let updates = SeriesUpdates()
        let pipeline = Pipeline(spool: spool, ledger: ledger, clock: clock)
        let channel = channel(pipeline, ledger, log, clock, updates)
        let facts = AgentFacts(
            version: "1", processID: 1, id: "a", host: "h", configurationPath: nil,
            spool: AgentFacts.Spool(kind: .memory, maxBytes: 1, overflow: .dropOldest, epoch: "e", failure: nil))
        let board = StatusBoard(facts: facts, spool: spool, ledger: ledger, clock: clock)
        board.admit(StatusEntry(id: "central", plugin: "http", kind: .sink, at: clock.monotonicTime))
        let book = SnapshotBook()
        let build = BuildSnapshot(
            book: book, failures: ListFailures(board: board), ledger: ledger, host: "h", clock: clock)
        let current = CurrentSnapshot(build, book: book, clock: clock)
        let access = SpoolAccess(
            store: spool, agent: "a", folders: SpoolAccess.Folders(spool: nil, deadLetters: "/nonexistent"),
            sinks: [SinkOrders(sink: "central", wakeup: RecordingWakeup())])
        let list = ListSeries { [channel] }
        let counts = ControlCounts()
        return ControlDispatcher(
            [
                PingHandler(), VersionHandler(version: "1"), StatusHandler(board, counts), SpoolStatusHandler(board),
                SpoolSegmentsHandler(access), DeadLettersHandler(access), SpoolShowHandler(access),
                SpoolReplayHandler(access), SpoolPurgeHandler(access), SpoolOrderHandler(access),
                SnapshotHandler(current), ListHandler(current), RetryHandler(RetryNow()), SeriesHandler(list),
                HistoryHandler(history, clock: clock), ExportHandler(history, host: "h", clock: clock),
                ChangesHandler(history, clock: clock),
            ],
            feeds: [
                SnapshotFeed(current, book: book, counts: counts, clock: clock),
                SeriesFeed(list, updates, counts: counts),
            ])
    }

    private static func channel(
        _ pipeline: Pipeline, _ ledger: LossLedger, _ log: RecordingLog, _ clock: ManualClock, _ updates: SeriesUpdates
    ) -> SourceChannel {
        let channel = SourceChannel(
            id: "kernel", descriptor: PluginDescriptor(name: "fake", kind: .source, version: "1", summary: ""),
            labels: [], host: nil, pipeline: pipeline, ledger: ledger, log: log, clock: clock,
            listeners: .init(updates: updates))
        let samples = ["a", "b", "c"].map { name in
            Sample(
                series: channel.openSeries(SeriesSpecification(name: name, kind: .gauge, unit: "1")), time: nil,
                value: .double(1))
        }
        _ = channel.commit(samples, checkpoint: nil, rejections: [])
        return channel
    }

    /// Two minutes of two interfaces, which no request changes.
    private static let history: RecordHistory = {
        let clock = ManualClock()
        let record = RecordHistory(store: InMemoryHistoryStore(units: 40), clock: clock, log: RecordingLog())
        for _ in 0..<24 {
            clock.advance(by: .seconds(5))
            for name in ["eth0", "eth1"] {
                let series = HistorySeries(.bandwidthReceive, member: name, source: "kernel")
                let reading = HistoryObservation(.held(1, peak: 99), at: clock.wallTime, held: .seconds(5))
                record.take([.init(series: series, rank: .standard, observation: reading)])
            }
        }
        _ = record.commit()
        return record
    }()

    // MARK: Answers

    private static func brokenAnswers(_ bytes: [UInt8]) -> [String] {
        var broken: [String] = []
        for line in bytes.split(separator: 0x0a) {
            do throws(SondeError) {
                let answer = try ControlMessage.answer(Array(line), from: "/run/sonde.sock")
                if answer["ok"]?.asBool != true { broken.append("a refusal is an answer") }
                var json = JSONWriter()
                json.value(answer)
                if (try? JSONReader.parse(json.bytes)) != answer { broken.append("JSON is other JSON when written") }
            } catch {
                if error.message.isEmpty && !line.contains(0x22) { broken.append("an error says nothing") }
            }
        }
        return broken
    }
}
