internal import SondeWire

/// Which of the counters of queries one belongs to: by transport and family.
struct LogLane {
    static let count = LogTransport.allCases.count &* 3

    /// Below ``count``.
    let index: Int

    @inline(always)
    init(_ transport: LogTransport, _ client: IPAddress?) {
        let family = client.map { $0.isIPv4 ? 1 : 2 } ?? 0
        index = transport.index &* 3 &+ family
    }

    private init(index: Int) {
        self.index = index
    }

    static var all: [LogLane] { (0..<count).map(LogLane.init(index:)) }

    var transport: LogTransport { LogTransport(rawValue: UInt8(truncatingIfNeeded: index / 3)) ?? .unknown }

    /// The value of `network.type`; nil when the log does not contain it.
    var family: String? { [nil, "ipv4", "ipv6"][index % 3] }
}
