internal import SondeDomain

/// How much memory flows may take and when they end.
package struct FlowSettings: Sendable {
    /// When flows end that no packet ends.
    enum Expiry: Sendable {
        /// After the time-outs.
        case timeouts
        /// Never: every flow of a file stays until another one needs its place.
        case never
    }

    /// Memory for the table, in bytes.
    var bytes = 67_108_864
    /// Whether flows end by themselves.
    var expiry = Expiry.timeouts
    /// After how long without a packet a TCP connection that is not closed ends.
    var streamTimeout = Nanoseconds.seconds(300)
    /// After how long without a packet any other flow ends.
    var datagramTimeout = Nanoseconds.seconds(60)
    /// After how long without a packet a closed TCP connection ends.
    var closingTimeout = Nanoseconds.seconds(5)
    /// How long a flow lasts before it is counted and continues as a new one; at most an hour.
    var activeTimeout = Nanoseconds.seconds(1800)
    /// How many peers, services and conversations are ranked; none with 0.
    var rankingCapacity = 1000

    /// A flow's times are counted in 32 bits of microseconds.
    static let longestActiveTimeout = Nanoseconds.seconds(3600)

    /// For live capture with this much memory.
    package static func live(bytes: Int) -> FlowSettings {
        FlowSettings(bytes: bytes)
    }

    /// For a whole file: no flow ends by itself, nothing is ranked.
    package static func file(bytes: Int) -> FlowSettings {
        FlowSettings(bytes: bytes, expiry: .never, rankingCapacity: 0)
    }
}
