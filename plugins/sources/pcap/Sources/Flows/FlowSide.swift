internal import SondeWire

/// What one end of a flow has sent.
///
/// Times are microseconds since the flow's first packet.
struct FlowSide: Sendable {
    /// Packets that the end has sent.
    var packets: UInt64 = 0
    /// Their bytes on the wire, whole frames.
    var bytes: UInt64 = 0
    /// The sequence number after everything that was sent so far.
    var nextSequence: UInt32 = 0
    /// When `nextSequence` was reached.
    var nextSequenceTime: UInt32 = 0
    /// The acknowledgement number of the last segment.
    var acknowledgement: UInt32 = 0
    /// When the last packet was sent.
    var lastTime: UInt32 = 0
    /// The window of the last segment, not scaled.
    var window: UInt16 = 0
    /// Where the totals count packets of this end.
    var cell: UInt16 = 0
    /// How often the same acknowledgement was repeated, up to 255.
    var duplicateAcknowledgements: UInt8 = 0
    /// What is known of the segments so far.
    var marks = Marks()
    /// All TCP flags so far.
    var flags = TCPFlags()

    /// What is known of an end's TCP segments.
    struct Marks: OptionSet, Sendable {
        let rawValue: UInt8

        /// There was a segment: sequence number and window are valid.
        static let hasSent = Marks(rawValue: 1)
        /// `acknowledgement` is valid.
        static let acknowledges = Marks(rawValue: 2)
        /// The last segment was a keep-alive.
        static let lastWasKeepAlive = Marks(rawValue: 4)
    }
}
