import Glibc
import SondeDomain
import SondeTestKit
import Synchronization
import Testing

@testable import SondeEngine
@testable import SondeGateways

/// What a disk that takes forever holds up, and what it does not.
@Suite struct HousekeepingTests {
    /// A spool on a disk whose syncs wait at a gate, with the thread that keeps it.
    private final class Bench {
        let log = RecordingLog()
        let clock = SystemClock()
        let disk: SlowFileSystem
        let spool: DiskSpool
        let ledger: LossLedger
        let housekeeping: Housekeeping
        let pipeline: Pipeline

        init() throws {
            disk = try SlowFileSystem()
            var settings = DiskSpoolSettings(directory: "/spool", maxBytes: 4 << 20)
            settings.minFree = 0
            let spool = try DiskSpool(settings, fileSystem: disk, clock: clock, newEpoch: SpoolFixture.newEpoch(1))
            self.spool = spool
            spool.addReader("central", .durable, wants: .metrics)
            ledger = LossLedger(log: log)
            let timer = try Timer()
            let keep = KeepSpool(spool: spool, ledger: ledger, clock: clock, log: log)
            housekeeping = Housekeeping(timer: timer, clock: clock, work: keep.run)
            pipeline = Pipeline(spool: spool, ledger: ledger, clock: clock, syncSchedule: SyncSchedule(wakeup: timer))
        }

        func commit(_ number: UInt64) -> CommitResult {
            pipeline.submit([.numbered(number)], documents: [])
        }

        /// What the control socket answers of the log.
        var dispatcher: ControlDispatcher {
            let facts = AgentFacts(
                version: "1", processID: 1, id: "agent", host: nil, configurationPath: nil,
                spool: AgentFacts.Spool(
                    kind: .disk, maxBytes: 4 << 20, overflow: .dropOldest, epoch: spool.epoch, failure: nil))
            let board = StatusBoard(facts: facts, spool: spool, ledger: ledger, clock: clock)
            _ = board.add(id: "central", plugin: "http", kind: .sink)
            return ControlDispatcher([StatusHandler(board, ControlCounts()), SpoolStatusHandler(board)])
        }

        /// An agent whose only plugin waits for its stop, or does what is given.
        func runtime(
            _ signals: FakeSignalSource,
            grace: Nanoseconds,
            _ work: @escaping @Sendable (CallConditions) -> Void = { _ = Poll.waitUntilReadable($0.cancelDescriptor) }
        ) throws -> AgentRuntime {
            let control = try InstanceControl(component: "wire", log: log)
            let channel = SourceChannel(
                id: "wire", descriptor: PluginDescriptor(name: "fake", kind: .source, version: "1", summary: ""),
                labels: [], host: nil, pipeline: pipeline, ledger: ledger, log: log,
                clock: clock)
            let source = FakeSourceInstance(isStreaming: true) { work($0) }
            let useCase = CollectSource(
                configuration: SourceConfiguration(id: "wire", plugin: "fake", interval: .seconds(1)),
                instance: source, channel: channel, log: log, observer: control.watch,
                cancelDescriptor: control.cancel.descriptor, random: SeededGenerator(seed: 1))
            let runner = SourceRunner(id: "wire", useCase: useCase, instance: source, control: control)
            return try AgentRuntime(
                sources: [runner], sinks: [], pipeline: pipeline, grace: { grace }, housekeeping: housekeeping,
                signals: signals, clock: clock, log: log)
        }
    }

    @Test func whileASyncTakesForeverCommitsAndLooksDoNotWait() throws {
        let bench = try Bench()
        #expect(bench.commit(1) == .taken)
        bench.disk.close()
        let thread = try bench.housekeeping.start()
        bench.housekeeping.hurry()
        #expect(bench.disk.waitForCall())
        // Each of these would wait for the gate, and so for ever, if the sync held what they need.
        let done = try Gate()
        let looker = try PluginThread(name: "looker") { [bench = Handed(bench)] in
            for number in 2...100 as ClosedRange<UInt64> { _ = bench.value.commit(number) }
            _ = bench.value.spool.usage()
            _ = bench.value.spool.isSafe
            if bench.value.spool.backlog(of: "central").count == 100 { done.open() }
        }
        #expect(done.wait())
        bench.disk.open()
        looker.join()
        bench.housekeeping.stop()
        thread.join()
        #expect(bench.spool.isSafe)
    }

    @Test func theLastSyncIsMadeBeforeTheAgentEnds() throws {
        let bench = try Bench()
        #expect(bench.commit(1) == .taken)
        let signals = try FakeSignalSource()
        signals.give(SIGTERM)
        #expect(try bench.runtime(signals, grace: .seconds(20)).run() == .stopped)
        #expect(bench.spool.isSafe)
        #expect(bench.log.lines(.warning).isEmpty)
    }

    @Test func aDiskThatHangsDoesNotHoldTheStopBeyondItsTime() throws {
        let bench = try Bench()
        #expect(bench.commit(1) == .taken)
        bench.disk.close()
        defer { bench.disk.open() }
        let signals = try FakeSignalSource()
        signals.give(SIGTERM)
        let began = bench.clock.monotonicTime
        #expect(try bench.runtime(signals, grace: .milliseconds(300)).run() == .abandoned)
        #expect(bench.clock.monotonicTime.since(began) >= .seconds(1))
        #expect(bench.log.lines(.warning).map(\.message).contains { $0.hasPrefix("the disk takes too long") })
    }

    @Test func whileAWriteHangsStatusSaysWhatWaits() throws {
        let bench = try Bench()
        #expect(bench.commit(1) == .taken)
        bench.disk.close(.write)
        let writer = try PluginThread(name: "writer") { [bench = Handed(bench)] in _ = bench.value.commit(2) }
        #expect(bench.disk.waitForCall())
        let answered = try Gate()
        let looker = try PluginThread(name: "looker") { [bench = Handed(bench)] in
            // On the loop's thread: an answer that came later would hold everything else up.
            for request in ["status", "spool.status"] {
                let line = ControlLineBuffer.Line.whole(Array("{\"request\":\"\(request)\"}".utf8))
                guard case .ready(let answer) = bench.value.dispatcher.reply(to: line) else { return }
                guard String(decoding: answer, as: UTF8.self).contains("\"points\":1") else { return }
            }
            answered.open()
        }
        #expect(answered.wait())
        bench.disk.open()
        looker.join()
        writer.join()
        #expect(bench.spool.backlog(of: "central").count == 2)
    }

    @Test func aWriteThatHangsDoesNotHoldTheStopBeyondTheGraceTime() throws {
        let bench = try Bench()
        bench.disk.close(.write)
        defer { bench.disk.open() }
        let signals = try FakeSignalSource()
        let (disk, handed) = (bench.disk, Handed(bench))
        let stopper = try PluginThread(name: "stopper") {
            _ = disk.waitForCall()
            signals.give(SIGTERM)
        }
        let runtime = try bench.runtime(signals, grace: .seconds(5)) { _ in _ = handed.value.commit(1) }
        let began = bench.clock.monotonicTime
        #expect(try runtime.run() == .abandoned)
        // What it takes to begin is not a part of the grace time.
        #expect(bench.clock.monotonicTime.since(began) < .seconds(6))
        stopper.join()
    }

    @Test func whatIsCountedBeforeItGivesWayHoldsNobodyUp() throws {
        let disk = try SlowFileSystem()
        var settings = DiskSpoolSettings(directory: "/spool", maxBytes: 40 << 10)
        settings.segmentBytes = 4 << 10
        settings.minFree = 0
        let spool = try DiskSpool(
            settings, fileSystem: disk, clock: SystemClock(), newEpoch: SpoolFixture.newEpoch(1))
        spool.addReader("central", .durable, wants: .metrics)
        spool.take(1...5)
        // The first segment is lost from its third point on: how much that is, only its frames show.
        let stretch = try #require(spool.cut(for: "central", maxCount: 2, maxBytes: .max))
        spool.acknowledge(stretch, for: "central")
        disk.close(.read)
        let done = try Gate()
        let lost = Atomic<UInt64>(0)
        let writer = try PluginThread(name: "writer") {
            for number in 2...2_000 as ClosedRange<UInt64> where lost.load(ordering: .relaxed) == 0 {
                let losses = spool.append((number * 10)...(number * 10 + 9), at: SpoolFixture.instant) ?? []
                lost.store(losses.reduce(0) { $0 + $1.count }, ordering: .relaxed)
            }
            done.open()
        }
        #expect(disk.waitForCall())
        let looked = try Gate()
        let looker = try PluginThread(name: "looker") {
            if spool.usage() != nil { looked.open() }
        }
        #expect(looked.wait())
        disk.open()
        #expect(done.wait())
        looker.join()
        writer.join()
        let read = spool.drain("central")
        #expect(read.first.map { $0 > 20 } == true)
        #expect(lost.load(ordering: .relaxed) > 0)
    }

    @Test func workIsDoneAgainWhenItAsksForIt() throws {
        let clock = SystemClock()
        let again = try Gate()
        let runs = Mutex(0)
        let housekeeping = try Housekeeping(timer: Timer(), clock: clock) {
            let count = runs.withLock { runs in
                runs += 1
                return runs
            }
            if count == 3 { again.open() }
            return count < 3 ? clock.monotonicTime.advanced(by: .milliseconds(20)) : .distantFuture
        }
        let thread = try housekeeping.start()
        housekeeping.hurry()
        #expect(again.wait())
        housekeeping.stop()
        thread.join()
        #expect(housekeeping.isFinished)
    }
}

/// A value that another thread uses while this one waits for it.
// What both threads touch of it may be called from any thread; the rest is the looker's until it is joined.
private struct Handed<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
