import Glibc
import SondeWire

@testable import PcapPlugin

/// How the fuzzer's bytes become a capture file: one that selects the test, then the file.
enum CaptureFuzzInput {
    /// What the first byte selects: an even one is a report, an odd one live capture within narrow bounds.
    enum Use: UInt8, CaseIterable {
        case report = 0
        case live = 1
    }

    /// The most that a byte of gzip can become (RFC 1951: 258 bytes from 2 bits).
    private static let mostInflated: UInt64 = 1_032
    /// What comes behind the file: nothing.
    private static let end = open("/dev/null", O_RDONLY | O_CLOEXEC)

    /// The invariants that an analysis and its report break; none without a file.
    static func brokenInvariants(_ input: UnsafeRawBufferPointer) -> [String] {
        guard let first = input.first else { return [] }
        let file = Array(input.dropFirst())
        guard first & 1 == 0 else { return brokenInvariants(of: file, .live) }
        guard let report = report(file) else { return [] }
        let lines = [report.json, report.table]
        let broken = ReportInvariants.broken(report, size: size(file))
        return lines.allSatisfy { $0.last == 0x0a } ? broken : broken + ["a report ends its last line"]
    }

    /// The invariants that one use of a file breaks.
    static func brokenInvariants(of file: [UInt8], _ use: Use) -> [String] {
        switch use {
        case .report:
            return report(file).map { ReportInvariants.broken($0, size: size(file)) } ?? []
        case .live: return brokenInvariants(ofLive: file)
        }
    }

    /// The report of a file; nil for what is no capture file.
    static func report(_ file: [UInt8]) -> InspectReport? {
        var run = InspectRun(TrafficAnalysis(flows: .file(bytes: 1 << 16), dns: .file))
        do throws(CaptureFileError) {
            try run.read(CaptureInput(end, head: file))
        } catch {
            return nil
        }
        return run.report
    }

    /// How many bytes a file has uncompressed, at most.
    private static func size(_ file: [UInt8]) -> UInt64 {
        UInt64(file.count) * (file.starts(with: [0x1f, 0x8b]) ? mostInflated : 1)
    }

    private static func brokenInvariants(ofLive file: [UInt8]) -> [String] {
        var flows = FlowSettings()
        flows.bytes = 4_096
        flows.rankingCapacity = 3
        var dns = DNSSettings(seed: 1)
        dns.rankingCapacity = 3
        dns.transactions.transactions = 3
        dns.reassembly = ReassemblyLimits(streams: 3, bytes: 2_048)
        dns.hostAddresses = [IPAddress(ipv4: 0xc000_0201)]
        var analysis = TrafficAnalysis(flows: flows, dns: dns)
        analysis.setHostAddresses(HostAddresses(dns.hostAddresses))
        let packets = take(file, &analysis)
        return TrafficInvariants.broken(analysis, packets: packets, flows, dns)
    }

    /// Takes the packets of a file as live capture does, with an interval that ends after every eighth.
    private static func take(_ file: [UInt8], _ analysis: inout TrafficAnalysis) -> UInt64 {
        var packets: UInt64 = 0
        var packet = CapturedPacket.empty
        do throws(CaptureFileError) {
            var reader = try CaptureReader.open(CaptureInput(end, head: file))
            while try reader.next(&packet) {
                packets += 1
                analysis.process(packet)
                if packets % 8 == 0 { endInterval(&analysis, packet.time) }
            }
        } catch {}
        endInterval(&analysis, packet.time)
        analysis.finish()
        return packets
    }

    private static func endInterval(_ analysis: inout TrafficAnalysis, _ time: Int64) {
        if time != CapturedPacket.unknownTime { analysis.expireAll(at: time) }
        var place: Int? = 0
        while let next = place { place = analysis.rank(from: next) }
        analysis.startInterval()
    }
}
