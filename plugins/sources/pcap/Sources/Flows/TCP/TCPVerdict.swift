/// The result of the analysis of a segment.
struct TCPVerdict: OptionSet, Sendable {
    let rawValue: UInt8

    /// Sent again, after a time-out as far as one can see.
    static let retransmission = TCPVerdict(rawValue: 1)
    /// Sent again because of duplicate acknowledgements.
    static let fastRetransmission = TCPVerdict(rawValue: 2)
    /// Sent again although it had been acknowledged.
    static let spuriousRetransmission = TCPVerdict(rawValue: 4)
    /// Overtaken on the way.
    static let outOfOrder = TCPVerdict(rawValue: 8)
    /// Only a probe whether the other end is there (keep-alive).
    static let keepAlive = TCPVerdict(rawValue: 16)
    /// The sender takes no more data.
    static let zeroWindow = TCPVerdict(rawValue: 32)
    /// A byte that probes whether the other end accepts data again (zero-window probe).
    static let zeroWindowProbe = TCPVerdict(rawValue: 64)
}
