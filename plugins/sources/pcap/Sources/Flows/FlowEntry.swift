internal import SondeWire

/// One flow: 160 bytes.
struct FlowEntry: Sendable {
    /// How far a TCP handshake has come.
    enum Handshake: UInt8, Sendable {
        /// No SYN was seen: the flow is older than the capture, or no TCP.
        case unseen
        /// SYN.
        case requested
        /// SYN, SYN/ACK.
        case accepted
        /// SYN, SYN/ACK, ACK.
        case complete
    }

    /// How a TCP connection has ended.
    struct Closing: OptionSet, Sendable {
        let rawValue: UInt8

        /// The low end has sent FIN.
        static let lowFinished = Closing(rawValue: 1)
        /// The high end has sent FIN.
        static let highFinished = Closing(rawValue: 2)
        /// One of them has sent RST.
        static let reset = Closing(rawValue: 4)

        /// The FIN of an end.
        static func finished(_ end: FlowEnd) -> Closing { end == .low ? lowFinished : highFinished }

        /// Whether only late packets can follow.
        var isOver: Bool { contains(.reset) || isSuperset(of: [.lowFinished, .highFinished]) }
    }

    /// The ends, VLAN and protocol.
    var key: FlowKey
    /// When the first packet was seen, in nanoseconds since 1970.
    var first: Int64
    /// What each end has sent: low, high.
    var sides = (FlowSide(), FlowSide())
    /// How many of the bytes the rankings have got.
    var ranked: UInt64 = 0
    /// The sequence number of the client's SYN.
    var initialSequence: UInt32 = 0
    /// When the client's last SYN was seen, in microseconds since `first`.
    var requestTime: UInt32 = 0
    /// Until the handshake is complete when the SYN/ACK was seen, then how long the handshake took; in microseconds.
    var acceptTime: UInt32 = 0
    /// The neighbour in its queue that was seen later.
    var newer = FlowQueue.none
    /// The neighbour in its queue that was seen earlier.
    var older = FlowQueue.none
    /// The queue that it waits in.
    var queue = FlowQueue.Name.free
    var handshake = Handshake.unseen
    var closing = Closing()
    /// The end that began, or that has not the service's port.
    var client = FlowEnd.low

    /// A flow without packets yet.
    @inline(__always)
    init(_ key: FlowKey, at time: Int64) {
        self.key = key
        first = time
    }

    /// When the last packet was seen, in microseconds since `first`.
    var lastTime: UInt32 { max(sides.0.lastTime, sides.1.lastTime) }

    /// When the last packet was seen, in nanoseconds since 1970.
    var last: Int64 { first &+ Int64(lastTime) &* 1000 }

    /// The bytes of both ends.
    var bytes: UInt64 { sides.0.bytes &+ sides.1.bytes }

    /// The packets of both ends.
    var packets: UInt64 { sides.0.packets &+ sides.1.packets }
}

extension UnsafeMutablePointer<FlowEntry> {
    /// What an end has sent.
    ///
    /// A homogeneous tuple is laid out like an array, and its memory is bound to the elements too.
    func side(_ end: FlowEnd) -> UnsafeMutablePointer<FlowSide> {
        withUnsafeMutablePointer(to: &pointee.sides) { sides in
            UnsafeMutableRawPointer(sides).assumingMemoryBound(to: FlowSide.self) + Int(end.rawValue)
        }
    }
}
