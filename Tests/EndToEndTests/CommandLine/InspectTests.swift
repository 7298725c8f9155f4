import Foundation
import Testing

/// `sonde inspect` with the real daemon and plugin.
@Suite struct InspectTests {
    /// A classic capture of Ethernet frames: three of 60 bytes, one a second, each 100 bytes long on the wire.
    private static let capture: [UInt8] = {
        var bytes: [UInt8] = []
        for number in [0xa1b2_c3d4, 0x0004_0002, 0, 0, 65_535, 1] as [UInt32] {
            withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
        }
        for second in 0..<3 as Range<UInt32> {
            for number in [1_767_225_600 + second, 0, 60, 100] {
                withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
            }
            bytes += [UInt8](repeating: 0, count: 60)
        }
        return bytes
    }()

    private struct Report: Decodable, Hashable {
        struct Failure: Decodable, Hashable {
            let code: String
        }

        let schema: String
        let packets: Int
        let bytes: Int
        let capturedBytes: Int
        let durationSeconds: Double?
        let peakBytesPerSecond: Int?
        let linkTypes: [String]
        let complete: Bool
        let error: Failure?
    }

    private func report(_ result: Workspace.Result) throws -> Report {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Report.self, from: Data(result.output.utf8))
    }

    private func write(_ bytes: [UInt8], _ name: String, in workspace: Workspace) throws -> String {
        try Data(bytes).write(to: URL(filePath: workspace.path(name)))
        return workspace.path(name)
    }

    @Test func aCaptureFileIsReported() async throws {
        try await Workspace.use { workspace in
            let file = try write(Self.capture, "a.pcap", in: workspace)
            let result = try await workspace.sonde("inspect", file, "--format", "json")
            #expect(result.end == .exited(0), "\(result.errors)")
            let report = try report(result)
            #expect(report.schema == "sonde.inspect/1")
            #expect(report.packets == 3)
            #expect(report.bytes == 300)
            #expect(report.capturedBytes == 180)
            #expect(report.durationSeconds == 2)
            #expect(report.peakBytesPerSecond == 100)
            #expect(report.linkTypes == ["EN10MB"])
            #expect(report.complete)
            #expect(report.error == nil)
            let table = try await workspace.sonde("inspect", file)
            #expect(table.end == .exited(0))
            #expect(table.output.contains("300 on the wire, 180 captured"))
        }
    }

    @Test(arguments: ["cat '%' |", "gzip -c '%' |"])
    func standardInputIsReadLikeAFile(_ producer: String) async throws {
        try await Workspace.use { workspace in
            let file = try write(Self.capture, "a.pcap", in: workspace)
            let command = producer.replacing("%", with: file)
            let whole = try await workspace.sonde("inspect", file, "--format", "json")
            let sonde = "'\(Checkout.sonde)' inspect - --format json --plugin-dir '\(Checkout.buildFolder)'"
            let piped = try await workspace.run(["/bin/sh", "-c", "\(command) \(sonde)"])
            #expect(piped.end == .exited(0), "\(piped.errors)")
            #expect(piped.output == whole.output)
        }
    }

    @Test func aFileThatBreaksOffIsReportedAsFarAsItGoesAndEndsWith1() async throws {
        try await Workspace.use { workspace in
            let file = try write(Array(Self.capture.dropLast(5)), "cut.pcap", in: workspace)
            let result = try await workspace.sonde("inspect", file, "--format", "json")
            #expect(result.end == .exited(1))
            let report = try report(result)
            #expect(report.packets == 2)
            #expect(!report.complete)
            #expect(report.error?.code == "SND-PCP021")
            #expect(result.errors.contains("SND-PCP021"))
        }
    }

    @Test func aLinkTypeThatNobodyDecodesIsNamedAndEndsWith1() async throws {
        try await Workspace.use { workspace in
            var bytes = Self.capture
            bytes[20] = 220
            let file = try write(bytes, "usb.pcap", in: workspace)
            let result = try await workspace.sonde("inspect", file, "--format", "json")
            #expect(result.end == .exited(1))
            #expect(try report(result).error?.code == "SND-PCP023")
            #expect(result.errors.contains("USB_LINUX_MMAPPED"))
        }
    }

    @Test func aFileThatIsNoCaptureEndsWith1AndWithoutAReport() async throws {
        try await Workspace.use { workspace in
            let text = try workspace.write("notes.txt", "nothing of the kind\n")
            for file in [text, try workspace.write("empty", "")] {
                let result = try await workspace.sonde("inspect", file, "--format", "json")
                #expect(result.end == .exited(1))
                #expect(result.output == "")
                #expect(result.errors.contains("SND-INS001"))
                #expect(result.errors.contains(file))
            }
        }
    }

    @Test func aFileThatIsNotThereIsNamed() async throws {
        try await Workspace.use { workspace in
            let result = try await workspace.sonde("inspect", workspace.path("absent"))
            #expect(result.end == .exited(1))
            #expect(result.output == "")
            #expect(result.errors.contains("SND-INS002"))
            #expect(result.errors.contains(workspace.path("absent")))
        }
    }

    @Test func aNameThatBeginsWithADashIsAFile() async throws {
        try await Workspace.use { workspace in
            _ = try write(Self.capture, "-a.pcap", in: workspace)
            let sonde = "'\(Checkout.sonde)' inspect --plugin-dir '\(Checkout.buildFolder)' -- -a.pcap"
            let result = try await workspace.run(["/bin/sh", "-c", "cd '\(workspace.directory)' && \(sonde)"])
            #expect(result.end == .exited(0), "\(result.errors)")
        }
    }

    @Test func aBombIsReadInBoundedMemory() async throws {
        try await Workspace.use { workspace in
            let header = try write(Array(Self.capture.prefix(24)), "header", in: workspace)
            var record: [UInt8] = []
            for number in [1_767_225_600, 0, 65_535, 65_535] as [UInt32] {
                withUnsafeBytes(of: number.littleEndian) { record += $0 }
            }
            record += [UInt8](repeating: 0, count: 65_535)
            let block = try write((0..<64).flatMap { _ in record }, "block", in: workspace)
            let bomb = workspace.path("bomb.pcap.gz")
            let blocks = "i=0; while [ $i -lt 128 ]; do cat '\(block)'; i=$((i+1)); done"
            _ = try await workspace.run(["/bin/sh", "-c", "(cat '\(header)'; \(blocks)) | gzip -1 > '\(bomb)'"])
            // 537 MB come of it, of which the process may have 128 MiB, with all its libraries.
            let sonde = [Checkout.sonde, "inspect", bomb, "--format", "json", "--plugin-dir", Checkout.buildFolder]
            let result = try await workspace.run(["/usr/bin/prlimit", "--as=134217728"] + sonde)
            #expect(result.end == .exited(0), "\(result.errors)")
            #expect(try report(result).packets == 128 * 64)
        }
    }
}
