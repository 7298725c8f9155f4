import Glibc
import SondeDomain
import SondeEngine
import SondeTestKit
import Synchronization
import Testing

@testable import SondeGateways

@Suite struct ReplayRunTests {
    /// A source that reads numbers from its tape; while it is recorded they count up.
    private final class Probe: SourceInstance, Sendable {
        struct Reading: Hashable {
            var number: UInt8?
            var time: Timestamp
            var isFinal: Bool
        }

        let isStreaming: Bool
        let offersTick = true
        private let services: any SourceServices
        private let state = Mutex((next: UInt8(0), readings: [Reading](), starts: 0, isClosed: false))

        init(_ services: any SourceServices, isStreaming: Bool = false) {
            self.services = services
            self.isStreaming = isStreaming
        }

        var readings: [Reading] { state.withLock { $0.readings } }
        var starts: Int { state.withLock { $0.starts } }
        var isClosed: Bool { state.withLock { $0.isClosed } }

        func start() throws(SondeError) { state.withLock { $0.starts += 1 } }

        func collect(_ call: CallConditions) throws(SondeError) -> CallOutcome {
            read(isFinal: call.isFinal)
            guard services.clock.wallTime == call.time else {
                throw SondeError(.callHangs, stage: .collect, class: .transient, message: "other times", recovery: [])
            }
            return .completed
        }

        func tick(_ call: CallConditions) throws(SondeError) -> CallOutcome { try collect(call) }

        func run(_ call: CallConditions) throws(SondeError) -> CallOutcome {
            for _ in 0..<3 {
                guard services.tape?.step() == true else { break }
                read(isFinal: false)
            }
            read(isFinal: true)
            return .cancelled
        }

        func close() { state.withLock { $0.isClosed = true } }

        private func read(isFinal: Bool) {
            var number: UInt8?
            if services.tape?.mode == .recording {
                let next = state.withLock { state in
                    state.next += 1
                    return state.next
                }
                withUnsafeBytes(of: next) { services.tape?.write("number", $0) }
                number = next
            } else {
                number = services.tape?.read("number")?.first
            }
            let reading = Reading(number: number, time: services.clock.wallTime, isFinal: isFinal)
            state.withLock { $0.readings.append(reading) }
        }
    }

    private static func call(_ time: Timestamp, isFinal: Bool = false) -> CallConditions {
        CallConditions(
            cancelDescriptor: -1, deadline: .distantFuture, time: time, interval: .seconds(1), isFinal: isFinal)
    }

    /// Records a polled source and a stream, and returns what they read.
    private func record(in folder: String, _ clock: ManualClock, limit: Int64 = 1 << 20) throws -> [[Probe.Reading]] {
        let file = try RecordingFile(in: folder, limit: limit, clock: clock)
        let probes = try ["polled", "stream"].map { id in
            let recorder = SourceRecorder(
                Recording.Source(id: id, plugin: "probe", interval: .seconds(1)), in: file, secret: [7])
            #expect(recorder.read("privacy") == [7] && recorder.read("number") == nil)
            let services = TapedServices(
                RecordingServices(), clock: recorder.clock, tape: recorder, commits: .dropped)
            let probe = Probe(services, isStreaming: id == "stream")
            let recorded = RecordedSource(probe, recorder)
            #expect(recorded.isStreaming == probe.isStreaming && recorded.offersTick)
            clock.advance(by: .seconds(1))
            try recorded.start()
            if probe.isStreaming {
                _ = try recorded.run(Self.call(clock.wallTime))
            } else {
                for step in 0..<3 {
                    clock.advance(by: .milliseconds(300))
                    _ =
                        try step == 1
                        ? recorded.tick(Self.call(clock.wallTime))
                        : recorded.collect(Self.call(clock.wallTime, isFinal: step == 2))
                }
            }
            #expect(recorder.hasAnswers)
            recorded.close()
            #expect(probe.isClosed)
            return probe
        }
        try file.finish()
        return probes.map(\.readings)
    }

    /// Plays a recording and returns what its sources read then.
    private func play(_ recording: Recording) throws -> (readings: [[Probe.Reading]], lines: [String], missing: UInt64)
    {
        let clock = StandingClock(Timestamp(seconds: 0), MonotonicInstant(nanoseconds: 0))
        let log = LineLog()
        let run = ReplayRun(recording, clock: clock, log: log)
        let ledger = LossLedger(log: log)
        let spool = MemorySpool(epoch: "e", maxBytes: 1 << 20, overflow: .dropOldest)
        let pipeline = Pipeline(spool: spool, ledger: ledger, clock: clock)
        var missing: UInt64 = 0
        let parts = try recording.sources.indices.map { number in
            let tape = try ReplayedSource(recording, number: number)
            let id = recording.sources[number].id
            let channel = SourceChannel(
                id: id, descriptor: PluginDescriptor(name: "probe", kind: .source, version: "1", summary: ""),
                labels: [], host: nil, pipeline: pipeline, ledger: ledger, log: log, clock: clock)
            let services = TapedServices(channel, clock: clock, tape: tape, commits: .passed)
            let probe = Probe(services, isStreaming: id == "stream")
            let entry = StatusEntry(id: id, plugin: "probe", kind: .source, at: clock.monotonicTime)
            run.add(ReplayRun.Source(tape, probe, channel, entry), number: number)
            return (probe, tape)
        }
        #expect(run.play())
        for (probe, tape) in parts {
            #expect(probe.isClosed && probe.starts <= 1)
            missing += tape.missingAnswers
        }
        return (parts.map(\.0.readings), log.lines, missing)
    }

    @Test func aReplayReadsWhatWasReadAtTheSameTimes() throws {
        let folder = try TemporaryDirectory()
        let recorded = try record(in: folder.file("r"), ManualClock())
        #expect(recorded[0].map(\.number) == [1, 2, 3] && recorded[1].map(\.number) == [1, 2, 3, 4])
        let recording = try RecordingFile.read(folder.file("r"))
        #expect(recording.isComplete && recording.sources.map(\.id) == ["polled", "stream"])
        let first = try play(recording)
        #expect(first.readings == recorded)
        #expect(first.lines.isEmpty && first.missing == 0)
        #expect(try play(RecordingFile.read(folder.file("r/recording"))).readings == recorded)
    }

    @Test func aRecordingThatIsCutIsPlayedAsFarAsItGoes() throws {
        let folder = try TemporaryDirectory()
        let recorded = try record(in: folder.file("r"), ManualClock())
        let whole = try RecordingFile.read(folder.file("r")).bytes
        for count in stride(from: Recording.head.count, to: whole.count, by: 7) {
            let recording = try Recording(Array(whole[..<count]))
            guard recording.sources.count == 2 else { continue }
            let played = try play(recording).readings
            let numbers = played[1].compactMap(\.number)
            #expect(numbers == Array(recorded[1].compactMap(\.number).prefix(numbers.count)))
        }
    }

    @Test func aFailureIsLoggedAndTheRestIsPlayed() throws {
        let head =
            Recording.head
            + RecordingPart.makeSource(.init(id: "polled", plugin: "probe", interval: .seconds(1)), number: 0)
        let frame = { (call: Recording.Call, seconds: Int64) in
            RecordingPart.makeFrame(
                0, call, Timestamp(seconds: seconds), MonotonicInstant(nanoseconds: seconds * 1_000_000_000))
        }
        let bytes = head + frame(.create, 1) + frame(.start, 2) + frame(.collect, 3) + RecordingPart.makeEnd([:])
        let played = try play(try Recording(bytes))
        #expect(played.readings == [[.init(number: nil, time: Timestamp(seconds: 3), isFinal: false)]])
        #expect(played.missing == 1)
    }

    @Test func aRecordingEndsAtItsSize() throws {
        let folder = try TemporaryDirectory()
        _ = try record(in: folder.file("r"), ManualClock(), limit: 250)
        let recording = try RecordingFile.read(folder.file("r"))
        #expect(recording.bytes.count <= 300 && recording.isComplete)
        #expect((recording.omitted[.size] ?? 0) > 0)
        let file = try RecordingFile(in: folder.file("s"), limit: 1 << 30, clock: ManualClock())
        let recorder = SourceRecorder(.init(id: "a", plugin: "b", interval: .seconds(1)), in: file, secret: nil)
        let large = [UInt8](repeating: 1, count: Recording.valueLimit + 1)
        large.withUnsafeBytes { recorder.write("large", $0) }
        #expect(file.omitted == [.oversized: 1] && !file.isFull && file.size < 200)
    }

    @Test func aDirectoryThatIsThereIsNotWrittenInto() throws {
        let folder = try TemporaryDirectory()
        let error = #expect(throws: SondeError.self) { try RecordingFile(in: folder.path, limit: 1) }
        #expect(error?.code == .recordingUnusable && error?.message.contains("File exists") == true)
        let missing = #expect(throws: SondeError.self) { try RecordingFile.read(folder.file("none")) }
        #expect(missing?.code == .recordingUnusable)
    }

    @Test func numbersOfAReplayAreTheSameEachTime() {
        var (first, second) = (RepeatableGenerator(seed: 1), RepeatableGenerator(seed: 1))
        #expect((0..<9).map { _ in first.next() } == (0..<9).map { _ in second.next() })
    }
}
