import Foundation
import SondeDomain
import SondeTestKit
import SondeWire
import Testing

@testable import PcapPlugin

/// The verdict of every segment of random connections is tshark's.
@Suite struct TsharkVerdictTests {
    private static let path = "/usr/bin/tshark"
    private static let isInstalled = FileManager.default.isExecutableFile(atPath: path)
    private static let fields = [
        "retransmission", "fast_retransmission", "spurious_retransmission", "out_of_order", "keep_alive", "zero_window",
        "zero_window_probe",
    ]

    @Test(.enabled(if: isInstalled, "tshark is not installed"), arguments: [1, 2, 3] as [UInt64])
    func everySegmentIsJudgedAsTsharkJudges(_ seed: UInt64) async throws {
        var generator = TCPTrafficGenerator(seed: seed)
        let frames = generator.connections(100)
        let expected = try await tshark(frames)
        let found = verdicts(frames)
        try #require(expected.count == found.count && found.count > 1500)
        for (number, pair) in zip(expected, found).enumerated() where pair.0 != pair.1 {
            Issue.record("frame \(number + 1): tshark says \(pair.0), we say \(pair.1)")
        }
        for field in Self.fields where field != "fast_retransmission" {
            #expect(found.contains { $0.contains(field) }, "no segment tests \(field)")
        }
    }

    private func verdicts(_ frames: [CapturedFrame]) -> [Set<String>] {
        let traffic = TrafficUnderTest(.file(bytes: 1 << 20))
        var before = traffic.totals.tcp
        return frames.map { captured in
            var frame = DecodedFrame()
            captured.bytes.withUnsafeBytes { bytes in
                FrameDecoder.decode(
                    WireBytes(bytes),
                    wireLength: UInt32(bytes.count),
                    linkType: .ethernet,
                    into: &frame
                )
            }
            traffic.tracker.process(frame, length: UInt32(captured.bytes.count), at: Int64(captured.time))
            let after = traffic.totals.tcp
            defer { before = after }
            return Self.difference(before, after)
        }
    }

    private static func difference(_ before: TCPCounts, _ after: TCPCounts) -> Set<String> {
        let counts: [KeyPath<TCPCounts, UInt64>] = [
            \.retransmissions, \.fastRetransmissions, \.spuriousRetransmissions, \.outOfOrder, \.keepAlives,
            \.zeroWindows, \.zeroWindowProbes,
        ]
        return withoutHaste(Set(zip(fields, counts).filter { after[keyPath: $1] > before[keyPath: $1] }.map(\.0)))
    }

    /// Leaves open whether a retransmission was fast.
    ///
    /// tshark's count of duplicate acknowledgements goes below 0, to a very large number, where a segment was missed.
    private static func withoutHaste(_ names: Set<String>) -> Set<String> {
        guard names.contains("fast_retransmission") else { return names }
        return names.subtracting(["fast_retransmission"]).union(["retransmission"])
    }

    private func tshark(_ frames: [CapturedFrame]) async throws -> [Set<String>] {
        var file = CaptureFileBuilder()
        file.frames = frames
        let capture = file.bytes
        // On its own thread: waiting here would keep other tests from running.
        let output = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try Self.run(on: capture) }) }
        }
        return output.split(separator: "\n").map { line in
            let values = line.split(separator: "|", omittingEmptySubsequences: false)
            var names = Set(zip(Self.fields, values).filter { !$1.isEmpty }.map(\.0))
            // The spurious kind carries the mark of the general one as well.
            if names.contains("spurious_retransmission") { names.remove("retransmission") }
            return Self.withoutHaste(names)
        }
    }

    private static func run(on capture: [UInt8]) throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).pcap")
        try Data(capture).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments =
            ["-r", file.path, "-n", "-T", "fields", "-E", "separator=|"]
            + fields.flatMap { ["-e", "tcp.analysis.\($0)"] }
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }
}
