import SondeWire

/// One segment of a TCP stream as the reassembly sees it.
struct StreamSegment {
    /// The sequence number of the first payload byte; of a SYN, the one after it.
    var sequence: UInt32
    /// Whether the stream begins here.
    var opensStream = false
    /// Whether the sender ends the stream, or it is reset.
    var endsStream = false
    /// The captured payload.
    var payload: WireBytes
    /// How long the payload was on the wire.
    var wireLength: Int

    /// The end of a stream, without payload.
    static var end: StreamSegment {
        StreamSegment(
            sequence: 0, endsStream: true, payload: WireBytes(UnsafeRawBufferPointer(start: nil, count: 0)),
            wireLength: 0)
    }
}

/// Between whom a stream goes, and for which service.
struct StreamOwner {
    let flow: FlowTuple
    let service: DNSService
}

/// A DNS message out of a TCP stream.
struct TCPMessage {
    /// What was captured of it, without the length in front; valid until the next call to the reassembly.
    var bytes: WireBytes
    /// How long it was on the wire.
    var wireLength: Int
    /// Whether it was after a gap that was waited for: the time when it came is unknown.
    var hasWaited = false
}
