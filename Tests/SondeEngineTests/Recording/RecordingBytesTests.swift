import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@Suite struct RecordingBytesTests {
    private static let source = Recording.Source(id: "kernel", plugin: "procnet", interval: .seconds(10))

    private static func answer(_ source: Int, _ key: String, _ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { RecordingPart.makeAnswer(source, key, $0) }
    }

    private static func frame(_ source: Int, _ call: Recording.Call, seconds: Int64) -> [UInt8] {
        RecordingPart.makeFrame(
            source, call, Timestamp(seconds: 1_767_225_600 + seconds),
            MonotonicInstant(nanoseconds: seconds * 1_000_000_000))
    }

    private static let parts: [[UInt8]] = [
        RecordingPart.makeSource(source, number: 0),
        frame(0, .create, seconds: 1),
        RecordingPart.makeSource(.init(id: "log", plugin: "dnslog", interval: .seconds(1)), number: 1),
        frame(1, .create, seconds: 1),
        frame(0, .start, seconds: 2),
        answer(0, "/proc/stat", [1, 2, 3]),
        answer(0, "/proc/stat", []),
        frame(1, .step, seconds: 3),
        answer(0, "late", [9]),
        answer(1, "line", [7]),
        RecordingPart.makeEnd([.oversized: 3]),
    ]

    private static var whole: [UInt8] { Recording.head + parts.joined() }

    @Test func whatWasWrittenIsRead() throws {
        let recording = try Recording(Self.whole)
        #expect(recording.sources.map(\.id) == ["kernel", "log"])
        #expect(recording.sources.first == Self.source)
        #expect(recording.frames.map(\.call) == [.create, .create, .start, .step])
        #expect(recording.frames.map(\.source) == [0, 1, 0, 1])
        #expect(recording.frames[2].time == Timestamp(seconds: 1_767_225_602))
        #expect(recording.frames[2].answers.map(\.key) == ["/proc/stat", "/proc/stat", "late"])
        #expect(recording.frames[2].answers.map { Array(recording.bytes[$0.place]) } == [[1, 2, 3], [], [9]])
        #expect(recording.omitted == [.oversized: 3])
        #expect(recording.isComplete)
    }

    @Test func aRecordingThatIsCutEndsWithItsLastWholePart() throws {
        var ends: [Int] = []
        var length = Recording.head.count
        for part in Self.parts {
            length += part.count
            ends.append(length)
        }
        for count in Recording.head.count..<Self.whole.count {
            let recording = try Recording(Array(Self.whole[..<count]))
            #expect(!recording.isComplete)
            let parts = ends.count { $0 <= count }
            #expect(recording.frames.count == [0, 0, 1, 1, 2, 3, 3, 3, 4, 4, 4][parts])
        }
    }

    @Test func anotherFileIsNoRecording() {
        for bytes in [[], Array("sonde recording 2\n".utf8), Array(Recording.head.dropLast())] {
            #expect(throws: SondeError.self) { try Recording(bytes) }
        }
    }

    @Test(arguments: [
        frame(2, .start, seconds: 4),
        RecordingPart.makeFrame(0, .collect, Timestamp(seconds: 1), MonotonicInstant(nanoseconds: -1)),
        RecordingPart.makeFrame(0, .collect, Timestamp(nanoseconds: -1), MonotonicInstant(nanoseconds: 4_000_000_000)),
        RecordingPart.makeFrame(
            0, .collect, Timestamp(nanoseconds: .max), MonotonicInstant(nanoseconds: 4_000_000_000)),
        // Back, and a day and a second on.
        frame(0, .collect, seconds: 2), frame(0, .collect, seconds: 86_404),
        answer(2, "a", []),
        RecordingPart.makeSource(source, number: 2), RecordingPart.makeSource(source, number: 0),
        RecordingPart.makeSource(.init(id: "a", plugin: "b", interval: .zero), number: 2),
        [2, 3, 0, 0, 0, 0, 0, 77], [3, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0],
    ])
    func whatContradictsItselfIsRefused(part: [UInt8]) {
        let bytes = Recording.head + Self.parts.dropLast().joined() + part
        let error = #expect(throws: SondeError.self) { try Recording(bytes) }
        #expect(error?.code == .recordingDamaged)
        #expect(error?.message.hasSuffix("byte \(bytes.count - part.count)") == true)
    }

    @Test func aKindThatIsNotKnownIsSkipped() throws {
        let bytes = Recording.head + Self.parts.dropLast().joined() + [200, 2, 0, 0, 0, 1, 1] + (Self.parts.last ?? [])
        #expect(try Recording(bytes).isComplete)
    }

    @Test func noByteThatIsWrongEndsTheProcess() {
        var random = SeededGenerator(seed: 115)
        for _ in 0..<20_000 {
            var bytes = Self.whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: Recording.head.count..<bytes.count, using: &random)
                bytes[place] = .random(in: .min ... .max, using: &random)
            }
            guard let recording = try? Recording(bytes) else { continue }
            for frame in recording.frames {
                #expect(recording.sources.indices.contains(frame.source))
                for answer in frame.answers { #expect(answer.place.clamped(to: bytes.indices) == answer.place) }
            }
        }
    }
}
