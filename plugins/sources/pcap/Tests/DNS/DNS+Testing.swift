import SondeTestKit
import SondeWire

@testable import PcapPlugin

/// A second in nanoseconds.
let second: Int64 = 1_000_000_000
/// A millisecond in nanoseconds.
let millisecond: Int64 = 1_000_000

extension FlowTuple {
    /// From a client on this port to a server.
    static func query(
        port: UInt16 = 40_000,
        client: UInt32 = 0xc000_0201,
        server: UInt32 = 0xc000_0235,
        transport: Transport = .udp
    ) -> FlowTuple {
        FlowTuple(
            source: IPAddress(ipv4: client),
            destination: IPAddress(ipv4: server),
            sourcePort: port,
            destinationPort: 53,
            transport: transport
        )
    }
}

extension DNSLane {
    /// The lane of ``FlowTuple/query(port:client:server:transport:)`` when the host is unknown.
    static let plain = DNSLane(role: .none, transport: .udp, isIPv6: false)
}

extension DNSSettings {
    /// Settings with a seed that is no secret.
    static var testing: DNSSettings { DNSSettings(seed: 0x1234_5678_9abc_def1) }
}

/// Calls `body` with a view of `bytes`.
func withWire<Result>(_ bytes: [UInt8], _ body: (WireBytes) -> Result) -> Result {
    bytes.withUnsafeBytes { body(WireBytes($0)) }
}

extension DNSMonitor {
    /// Sees a datagram; `captured` is how much of it the capture kept.
    mutating func see(_ bytes: [UInt8], _ flow: FlowTuple, at time: Int64, captured: Int? = nil) {
        let kept = Array(bytes.prefix(captured ?? bytes.count))
        kept.withUnsafeBytes { payload in
            let service = DNSPorts().service(flow.sourcePort, flow.destinationPort) ?? .unicast
            observe(datagram: WireBytes(payload), wireLength: bytes.count, flow, service: service, at: time)
        }
    }
}
