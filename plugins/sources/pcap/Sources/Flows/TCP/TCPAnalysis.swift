internal import SondeWire

/// Classifies segments by what their flow has sent before, by the rules of Wireshark 4.0.
///
/// Source: Wireshark User's Guide, "TCP Analysis". Its rules for MPTCP are left out, and the acknowledgement of segments
/// that were not captured does not reset the count of duplicate ones.
enum TCPAnalysis {
    /// A segment that comes later than this after the farthest one was sent again, not overtaken, in microseconds.
    ///
    /// Used while the round trip is unknown.
    private static let defaultReordering: UInt32 = 3000
    /// How soon after the last duplicate acknowledgement a fast retransmission comes, in microseconds.
    private static let fastRetransmissionDelay: UInt32 = 20_000

    /// Classifies a segment and stores its state; `roundTrip` is that of the handshake in microseconds, or 0.
    @inline(__always)
    static func judge(
        _ segment: TCPSegment,
        from sender: UnsafeMutablePointer<FlowSide>,
        to receiver: UnsafeMutablePointer<FlowSide>,
        roundTrip: UInt32
    ) -> TCPVerdict {
        var verdict = signs(of: segment, sender, receiver)
        if segment.acknowledgement != sender.pointee.acknowledgement { sender.pointee.duplicateAcknowledgements = 0 }
        if segment.takesSequence, !verdict.contains(.keepAlive) {
            verdict.formUnion(arrival(of: segment, sender, receiver, roundTrip))
        }
        remember(segment, verdict, sender)
        return verdict
    }

    /// What a segment shows of keep-alives and windows; counts duplicate acknowledgements.
    @inline(__always)
    private static func signs(
        of segment: TCPSegment,
        _ sender: UnsafeMutablePointer<FlowSide>,
        _ receiver: UnsafeMutablePointer<FlowSide>
    ) -> TCPVerdict {
        let hasSent = sender.pointee.marks.contains(.hasSent)
        let isNext = hasSent && segment.sequence == sender.pointee.nextSequence
        if segment.length == 1, isNext, receiver.pointee.marks.contains(.hasSent), receiver.pointee.window == 0 {
            return .zeroWindowProbe
        }
        guard !segment.isControl else { return [] }
        var verdict = TCPVerdict()
        if segment.window == 0 { verdict.insert(.zeroWindow) }
        guard hasSent, segment.length <= 1 else { return verdict }
        if segment.sequence == sender.pointee.nextSequence &- 1 { verdict.insert(.keepAlive) }
        if segment.length == 0, isNext, repeats(segment, sender.pointee),
            !receiver.pointee.marks.contains(.lastWasKeepAlive), sender.pointee.duplicateAcknowledgements < .max
        {
            sender.pointee.duplicateAcknowledgements &+= 1
        }
        return verdict
    }

    /// Whether a segment without data carries no new information.
    private static func repeats(_ segment: TCPSegment, _ sender: FlowSide) -> Bool {
        segment.window != 0 && segment.window == sender.window && segment.acknowledgement == sender.acknowledgement
    }

    /// Whether a segment that takes sequence numbers was sent again or overtaken.
    @inline(__always)
    private static func arrival(
        of segment: TCPSegment,
        _ sender: UnsafeMutablePointer<FlowSide>,
        _ receiver: UnsafeMutablePointer<FlowSide>,
        _ roundTrip: UInt32
    ) -> TCPVerdict {
        let next = sender.pointee.nextSequence
        if segment.length > 0, receiver.pointee.marks.contains(.acknowledges),
            !receiver.pointee.acknowledgement.precedes(segment.sequence &+ segment.length)
        {
            return .spuriousRetransmission
        }
        guard sender.pointee.marks.contains(.hasSent), segment.sequence.precedes(next) else { return [] }
        // It may follow a probe of one byte, which did not count.
        if segment.length > 1, segment.sequence == next &- 1 { return [] }
        if receiver.pointee.duplicateAcknowledgements >= 2, receiver.pointee.acknowledgement == segment.sequence,
            segment.time &- receiver.pointee.lastTime < fastRetransmissionDelay
        {
            return .fastRetransmission
        }
        let reordering = roundTrip == 0 ? defaultReordering : roundTrip
        let isEarly = segment.time &- sender.pointee.nextSequenceTime < reordering
        return isEarly && next != segment.end ? .outOfOrder : .retransmission
    }

    @inline(__always)
    private static func remember(
        _ segment: TCPSegment,
        _ verdict: TCPVerdict,
        _ sender: UnsafeMutablePointer<FlowSide>
    ) {
        var marks = sender.pointee.marks
        let isFirst = !marks.contains(.hasSent)
        let end = segment.end
        if isFirst || (sender.pointee.nextSequence.precedes(end) && !verdict.contains(.zeroWindowProbe)) {
            sender.pointee.nextSequence = end
            sender.pointee.nextSequenceTime = segment.time
        }
        sender.pointee.window = segment.window
        sender.pointee.acknowledgement = segment.acknowledgement
        marks.insert(.hasSent)
        marks.set(.acknowledges, segment.flags.contains(.ack) || segment.acknowledgement != 0)
        marks.set(.lastWasKeepAlive, verdict.contains(.keepAlive))
        sender.pointee.marks = marks
    }
}

extension FlowSide.Marks {
    fileprivate mutating func set(_ mark: Self, _ isSet: Bool) {
        if isSet { insert(mark) } else { remove(mark) }
    }
}
