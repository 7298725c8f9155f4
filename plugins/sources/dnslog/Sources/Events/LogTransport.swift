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

    /// The value of the attribute `network.transport`, or nil when the log does not contain it.
    var attribute: String? { self == .unknown ? nil : "\(self)" }
}
