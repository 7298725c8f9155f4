import SondeDomain
import SondePluginKit
import SondeWire

@testable import PcapPlugin
@testable import SondePluginKit
@testable import SondeTestKit

/// Packets that go through the pipeline of live capture to the samples of a source, without an interface.
final class Traffic {
    let fake: FakeHost
    let host: PluginHost
    let pipeline: PacketPipeline
    let report: CaptureReport
    private(set) var packets: UInt64 = 0
    private(set) var bytes: UInt64 = 0

    /// 1 January 2026, as the fake host has it.
    static let start: Int64 = 1_767_225_600_000_000_000

    init(_ options: [String: FakeHost.Option] = [:], host addresses: [IPAddress] = [.here]) throws {
        fake = FakeHost(options: options)
        host = PluginHost(fake.record)
        var settings = try AnalysisSettings(host.options)
        // With a seed of its own each run, one of a thousand would count two of three names as one.
        settings.dns?.seed = DNSSettings.testing.seed
        pipeline = PacketPipeline(settings)
        pipeline.analysis?.pointee.setHostAddresses(HostAddresses(addresses))
        report = CaptureReport(host, settings)
    }

    /// Takes one frame, `milliseconds` after the start.
    func see(_ frame: [UInt8], at milliseconds: Int64 = 0) {
        packets += 1
        bytes += UInt64(frame.count)
        frame.withUnsafeBytes { frame in
            pipeline.process(
                CapturedPacket(
                    bytes: WireBytes(frame),
                    wireLength: UInt32(frame.count),
                    linkType: 1,
                    interface: 0,
                    time: Self.start + milliseconds * 1_000_000
                )
            )
        }
    }

    /// The samples of a moment, committed.
    func samples(at milliseconds: Int64 = 100) -> [String: SampleValue] {
        gather(at: milliseconds)
        if report.commit() == .taken { pipeline.startInterval() }
        return fake.lastCommit
    }

    /// Makes samples without offering them.
    func gather(at milliseconds: Int64) {
        let time = Self.start + milliseconds * 1_000_000
        fake.wallTime = Timestamp(nanoseconds: time)
        pipeline.settle(at: time) {}
        report.gather(pipeline, of: [])
    }
}

extension IPAddress {
    /// The host of these tests: 192.0.2.1.
    static let here = IPAddress(ipv4: 0xc000_0201)
}

extension [String: SampleValue] {
    /// The sum over all series of a metric.
    func sum(_ metric: String) -> UInt64 {
        reduce(0) { sum, sample in
            guard sample.key == metric || sample.key.hasPrefix(metric + "{") else { return sum }
            guard case .unsigned(let value) = sample.value else { return sum }
            return sum + value
        }
    }

    /// The series of a metric, without its name.
    func series(_ metric: String) -> Set<String> {
        Set(keys.filter { $0.hasPrefix(metric + "{") }.map { String($0.dropFirst(metric.count)) })
    }
}

/// Frames between the host and others.
enum Frame {
    static let other: [UInt8] = [198, 51, 100, 2]
    static let own: [UInt8] = [192, 0, 2, 1]

    static func udp(
        _ source: [UInt8] = own, _ destination: [UInt8] = other, ports: (UInt16, UInt16) = (40_000, 9_999),
        payload: [UInt8] = []
    ) -> [UInt8] {
        PacketBuilder(
            [EthernetLayer(), IPv4Layer(source, destination), UDPLayer(ports.0, ports.1)], payload: payload
        ).bytes
    }

    static func tcp(
        _ flags: UInt8, sequence: UInt32, acknowledgement: UInt32 = 0, answers: Bool = false, payload: Int = 0
    ) -> [UInt8] {
        var segment = answers ? TCPLayer(443, 40_000, flags: flags) : TCPLayer(40_000, 443, flags: flags)
        segment.sequence = sequence
        segment.acknowledgement = acknowledgement
        let addresses = answers ? IPv4Layer(other, own) : IPv4Layer(own, other)
        return PacketBuilder(
            [EthernetLayer(), addresses, segment], payload: [UInt8](repeating: 7, count: payload)
        ).bytes
    }

    /// A query of `client` to `server`, or the answer to it.
    static func dns(
        _ name: String, id: UInt16, type: UInt16 = 1, code: UInt16? = nil, client: [UInt8] = own,
        server: [UInt8] = other
    ) -> [UInt8] {
        let flags = code.map { 0x8180 | $0 } ?? 0x0100
        let message = DNSMessageBuilder(id: id, flags: flags).asking(name, type: type).bytes
        return code == nil
            ? udp(client, server, ports: (40_000, 53), payload: message)
            : udp(server, client, ports: (53, 40_000), payload: message)
    }
}
