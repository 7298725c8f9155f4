/// How clients and the resolver speak.
enum LogTransport: UInt8, CaseIterable {
    case unknown
    case udp
    case tcp
    /// DNS over TLS.
    case dot
    /// DNS over HTTPS.
    case doh
    /// DNS over QUIC.
    case doq
    case dnscrypt
    case grpc

    /// Its place among all; unlike the raw value, it costs no call.
    @inline(always)
    var index: Int {
        switch self {
        case .unknown: 0
        case .udp: 1
        case .tcp: 2
        case .dot: 3
        case .doh: 4
        case .doq: 5
        case .dnscrypt: 6
        case .grpc: 7
        }
    }

    /// The value of the attribute `network.transport`, or nil when the log does not contain it.
    var attribute: String? { self == .unknown ? nil : "\(self)" }
}
