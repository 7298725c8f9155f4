import Foundation
import SondeTestKit
import Testing

@testable import PcapPlugin

/// The report of a file.
@Suite struct InspectRunTests {
    private func report(_ bytes: [UInt8]) throws -> InspectReport {
        let file = TemporaryFile(bytes)
        var run = InspectRun()
        try run.read(CaptureInput(file.descriptor))
        return run.report
    }

    private static let classic: [[UInt8]] = ClassicCaptureBuilder.Format.allCases.flatMap { format in
        EndianWriter.Order.allCases.map { order in
            var builder = ClassicCaptureBuilder(format, order)
            for number in 0..<40 as Range<UInt32> {
                builder.add(
                    [UInt8](repeating: 1, count: 60 + Int(number)),
                    seconds: 1_767_225_600 + number / 3,
                    fraction: number * 1_000,
                    wireLength: 1_000 + number
                )
            }
            return builder.bytes
        }
    }

    private static let blocks: [[UInt8]] = EndianWriter.Order.allCases.map { order in
        var builder = BlockCaptureBuilder(order)
        builder.addInterface(resolution: 9)
        builder.addInterface(linkType: 101, resolution: 0x94, offset: 5)
        for number in 0..<20 as Range<UInt64> {
            builder.addPacket([UInt8](repeating: 1, count: 60), ticks: 1_767_225_600_000_000_000 + number * 77_000_000)
            builder.addPacket([0x45], interface: 1, ticks: (1_767_225_601 + number) << 20, wireLength: 500)
        }
        return builder.bytes
    }

    private static let files = classic + blocks

    @Test(.enabled(if: Wireshark.isInstalled, "needs capinfos"), arguments: files.indices)
    func packetsBytesAndDurationAreThoseOfCapinfos(_ index: Int) throws {
        let bytes = Self.files[index]
        let expected = try Wireshark.count(bytes)
        let report = try report(bytes)
        #expect(report.failure == nil)
        #expect(report.packets == UInt64(expected.packets))
        #expect(report.bytes == UInt64(expected.bytes))
        let duration = try #require(report.duration.map { Double($0) / 1e9 })
        #expect(abs(duration - (expected.duration ?? -1)) < 1e-6)
    }

    @Test func aFileWithoutPacketsHasNoTimes() throws {
        let report = try report(ClassicCaptureBuilder().bytes)
        #expect(report.packets == 0)
        #expect(report.duration == nil)
        #expect(report.peakBytesPerSecond == nil)
        #expect(String(decoding: report.json, as: UTF8.self).contains("\"duration_seconds\":null"))
    }

    @Test func packetsWithoutATimeHaveNoDuration() throws {
        var builder = BlockCaptureBuilder()
        builder.addInterface()
        builder.addSimplePacket([1, 2, 3, 4])
        let report = try report(builder.bytes)
        #expect(report.packets == 1)
        #expect(report.duration == nil)
    }

    @Test func aLinkTypeThatIsNotDecodedIsNamedOnceAPacketHasIt() throws {
        var builder = BlockCaptureBuilder()
        builder.addInterface(linkType: 1)
        builder.addInterface(linkType: 220)
        builder.addPacket([1])
        #expect(try report(builder.bytes).failure == nil)
        builder.addPacket([1], interface: 1)
        builder.addPacket([1])
        let report = try report(builder.bytes)
        #expect(report.failure?.code == "SND-PCP023")
        #expect(report.failure?.message.contains("USB_LINUX_MMAPPED (220)") == true)
        #expect(report.packets == 3)
        #expect(report.linkTypes == ["EN10MB", "USB_LINUX_MMAPPED"])
    }

    @Test func theKeysOfTheReportAreAlwaysTheSame() throws {
        let keys = [
            "schema", "packets", "bytes", "captured_bytes", "duration_seconds", "peak_bytes_per_second", "link_types",
            "complete", "error", "ipv4", "ipv6", "other", "fragments", "malformed", "tcp", "udp", "icmp", "dns",
        ]
        let text = String(decoding: try report(ClassicCaptureBuilder().bytes).json, as: UTF8.self)
        var rest = text[...]
        for key in keys {
            let found = try #require(rest.range(of: "\"\(key)\":"), "\(key)")
            rest = rest[found.upperBound...]
        }
        #expect(text.hasSuffix("}\n"))
    }
}
