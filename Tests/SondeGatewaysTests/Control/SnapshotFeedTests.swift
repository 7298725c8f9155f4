import Foundation
import Glibc
import SondeDomain
import SondeEngine
import SondeFormats
import SondeGateways
import SondeTestKit
import Testing

/// Snapshots that connections have subscribed to.
@Suite struct SnapshotFeedTests {
    private let book = SnapshotBook()
    private let clock = SystemClock()

    private func bench(_ limits: ControlServer.Limits = .init()) throws -> ControlBench {
        let (book, clock) = (book, clock)
        let facts = AgentFacts(
            version: "1", processID: 1, id: "a", host: "h", configurationPath: nil,
            spool: AgentFacts.Spool(kind: .memory, maxBytes: 1, overflow: .dropOldest, epoch: "e", failure: nil))
        let ledger = LossLedger(log: RecordingLog())
        let board = StatusBoard(
            facts: facts, spool: MemorySpool(epoch: "e", maxBytes: 1 << 20, overflow: .dropOldest), ledger: ledger,
            clock: clock)
        let build = BuildSnapshot(
            book: book, failures: ListFailures(board: board), ledger: ledger, host: "h", clock: clock)
        let current = CurrentSnapshot(build, book: book, clock: clock)
        return try ControlBench(
            limits: limits,
            feeds: { counts in [SnapshotFeed(current, book: book, counts: counts, clock: clock)] })
    }

    /// Reports a value of so many interfaces.
    private func report(_ value: Double, interfaces: Int = 1) {
        let readings = (0..<interfaces).map { index in
            HistoryCollector.Reading(
                series: HistorySeries(.bandwidthReceive, member: "eth\(index)", source: "kernel"), rank: .further,
                observation: HistoryObservation(.held(value, peak: nil), at: clock.wallTime, held: .seconds(1)))
        }
        book.take(readings, [], of: "kernel", time: clock.wallTime, at: clock.monotonicTime)
    }

    /// The next line that has this value of the first interface.
    private func line(of client: SocketClient, telling value: Double) throws -> String? {
        while let line = try client.line() {
            if Self.value(line) == value { return line }
        }
        return nil
    }

    private static func value(_ line: String) -> Double? {
        let document = (try? JSONReader.parse(line))?["snapshot"]?["document"]
        return document?["bandwidth"]?["interfaces"]?["eth0"]?["receive"]?["current"]?.asDouble
    }

    private func watch(_ bench: ControlBench) throws -> SocketClient {
        let client = try bench.client()
        try client.write("{\"request\":\"watch\"}\n")
        #expect(try client.line()?.hasPrefix("{\"ok\":true,\"snapshot\":{\"number\":") == true)
        return client
    }

    private static func controlThreads() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count { task in
            (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)) == "control\n"
        }
    }

    @Test func aHundredWatchersCostNoThreadAndGetTheSameLine() throws {
        var limits = ControlServer.Limits()
        (limits.connections, limits.watchers) = (110, 100)
        let bench = try bench(limits)
        let before = try Self.controlThreads()
        let watchers = try (0..<100).map { _ in try watch(bench) }
        report(7)
        let lines = try watchers.map { try line(of: $0, telling: 7) }
        #expect(Set(lines).count == 1)
        // Tests beside this one have some threads of that name; these would have a hundred.
        #expect(try Self.controlThreads() - before < 50)
        #expect(try bench.counts()["watchers"]?.asInt64 == 100)
    }

    @Test func aWatcherThatReadsNothingSkipsToTheNewestAndDelaysNobody() throws {
        var limits = ControlServer.Limits()
        limits.idle = .seconds(600)
        let bench = try bench(limits)
        let (slow, quick) = (try watch(bench), try watch(bench))
        // Each is larger than what a socket holds.
        for value in 1...4 {
            report(Double(value), interfaces: 3_000)
            #expect(try line(of: quick, telling: Double(value)) != nil)
        }
        try bench.wait { ($0["skipped"]?.asInt64 ?? 0) >= 1 }
        // The line under way, and the newest.
        let seen = [try slow.line(), try slow.line()].compactMap { $0.flatMap(Self.value) }
        #expect(seen.last == 4)
        report(5)
        #expect(try line(of: slow, telling: 5) != nil)
    }

    @Test func aWatcherThatTakesNothingIsClosedAndCounted() throws {
        var limits = ControlServer.Limits()
        limits.idle = .seconds(3)
        let bench = try bench(limits)
        let (stalled, quick) = (try watch(bench), try watch(bench))
        for value in 1...2 {
            report(Double(value), interfaces: 3_000)
            #expect(try line(of: quick, telling: Double(value)) != nil)
        }
        try bench.wait { $0["stalled"]?.asInt64 == 1 && $0["watchers"]?.asInt64 == 1 }
        #expect(bench.log.codes.contains(.controlWatcherStalled))
        while try stalled.line() != nil {}
        // One that has nothing to take is not idle.
        report(3)
        #expect(try line(of: quick, telling: 3) != nil)
    }

    @Test func watchersThatGoAwayInTheMiddleOfALineAreForgotten() throws {
        let bench = try bench()
        do {
            let gone = try (0..<5).map { _ in try watch(bench) }
            let watcher = try watch(bench)
            report(1, interfaces: 3_000)
            #expect(try line(of: watcher, telling: 1) != nil)
            withExtendedLifetime(gone) {}
        }
        try bench.wait { $0["watchers"]?.asInt64 == 0 }
        report(2)
        #expect(try bench.client().ask("ping") != nil)
    }

    @Test func whatAWatcherSendsIsIgnored() throws {
        let bench = try bench()
        let client = try bench.client()
        try client.write("{\"request\":\"watch\"}\n{\"request\":\"ping\"}\n\u{0}}{\n")
        client.offer((0..<20_000).map { _ in UInt8.random(in: .min ... .max) })
        #expect(try client.line()?.contains("snapshot") == true)
        report(1)
        #expect(try line(of: client, telling: 1) != nil)
    }

    @Test func aWatcherThatEndsItsRequestsIsStillSentAndItsEndIsSeen() throws {
        let bench = try bench()
        var client: SocketClient? = try watch(bench)
        client?.endOutput()
        for value in 1...2 {
            report(Double(value))
            #expect(try line(of: #require(client), telling: Double(value)) != nil)
        }
        client = nil
        try bench.wait { $0["watchers"]?.asInt64 == 0 }
    }

    @Test func watchersLeaveRoomForCommands() throws {
        let bench = try bench()
        let watchers = try (0..<12).map { _ in try watch(bench) }
        let extra = try bench.client()
        try extra.write("{\"request\":\"watch\"}\n")
        #expect(try extra.line()?.contains("SND-CTL007") == true)
        #expect(try extra.ask("ping")?.contains("pid") == true)
        withExtendedLifetime(watchers) {}
    }

    @Test func aClientOfOursWatchesUntilTheAgentEnds() throws {
        let bench = try bench()
        report(1)
        var seen = 0
        #expect(throws: SondeError.self) {
            let _: Int = try ControlClient.watch(at: bench.path, "watch") { answer in
                #expect(answer["snapshot"]?["number"] != nil)
                seen += 1
                if seen == 3 { bench.stop() } else { report(Double(seen)) }
                return nil
            }
        }
        #expect(seen == 3)
    }
}
