internal import SondePluginKit
internal import SondeWire

extension FlowTracker {
    /// Follows a connection by one of its segments, and returns the queue in which it waits from now on.
    @inline(__always)
    mutating func follow(
        _ frame: UnsafePointer<DecodedFrame>, at elapsed: UInt32, _ slot: UInt32, _ sender: FlowEnd, _ time: Int64
    ) -> FlowQueue.Name {
        let entry = table[slot]
        var segment = TCPSegment(frame.pointee, at: elapsed)
        if segment.isRequest, opensAnother(segment, entry, sender) {
            restart(slot, client: sender, time)
            segment.time = 0
        }
        let side = entry.side(sender)
        let verdict = TCPAnalysis.judge(
            segment,
            from: side,
            to: entry.side(sender.other),
            roundTrip: entry.pointee.handshake == .complete ? entry.pointee.acceptTime : 0
        )
        side.pointee.flags.formUnion(segment.flags)
        totals.tcp.count(segment.flags, verdict)
        if entry.pointee.handshake != .complete { shake(segment, entry, sender) }
        if segment.isControl {
            if segment.flags.contains(.fin) { entry.pointee.closing.insert(.finished(sender)) }
            if segment.flags.contains(.rst) { entry.pointee.closing.insert(.reset) }
        }
        return entry.pointee.closing.isOver ? .closing : .stream
    }

    /// Whether a SYN uses the ports of a connection again, rather than being sent again.
    @inline(never)
    private func opensAnother(
        _ segment: TCPSegment, _ entry: UnsafeMutablePointer<FlowEntry>, _ sender: FlowEnd
    ) -> Bool {
        guard entry.side(sender).pointee.marks.contains(.hasSent) else {
            // It may open the same connection at the same time, or its SYN was captured after the answer.
            let other = entry.side(sender.other).pointee
            return other.marks.contains(.acknowledges) && other.acknowledgement != segment.sequence &+ 1
        }
        let isSame =
            entry.pointee.handshake != .unseen && entry.pointee.client == sender
            && entry.pointee.initialSequence == segment.sequence
        return !isSame || !entry.pointee.closing.isEmpty
    }

    /// Counts the connection that was, and begins another one in its place.
    @inline(never)
    private mutating func restart(_ slot: UInt32, client: FlowEnd, _ time: Int64) {
        let entry = table[slot]
        count(slot, entry.pointee.closing.reason ?? .reused)
        totals.start()
        entry.pointee.first = time
        entry.pointee.ranked = 0
        entry.pointee.handshake = .unseen
        entry.pointee.closing = []
        entry.pointee.client = client
        for end in [FlowEnd.low, .high] {
            let cell = entry.side(end).pointee.cell
            entry.side(end).pointee = FlowSide()
            entry.side(end).pointee.cell = cell
        }
    }

    /// Continues the handshake.
    @inline(never)
    private mutating func shake(_ segment: TCPSegment, _ entry: UnsafeMutablePointer<FlowEntry>, _ sender: FlowEnd) {
        switch entry.pointee.handshake {
        case .unseen, .requested:
            if segment.isRequest {
                entry.pointee.handshake = .requested
                entry.pointee.client = sender
                entry.pointee.initialSequence = segment.sequence
                entry.pointee.requestTime = segment.time
            } else if entry.pointee.handshake == .requested, segment.isAcceptance, sender != entry.pointee.client,
                segment.acknowledgement == entry.pointee.initialSequence &+ 1
            {
                entry.pointee.handshake = .accepted
                entry.pointee.acceptTime = segment.time
                totals.acceptances.record(microseconds: segment.time &- entry.pointee.requestTime)
            }
        case .accepted:
            guard sender == entry.pointee.client, segment.flags.contains(.ack), !segment.isControl,
                segment.acknowledgement == entry.side(sender.other).pointee.nextSequence
            else { return }
            entry.pointee.handshake = .complete
            let roundTrip = segment.time &- entry.pointee.requestTime
            entry.pointee.acceptTime = roundTrip
            totals.handshakes.record(microseconds: roundTrip)
        case .complete:
            break
        }
    }
}

extension LatencyHistogram {
    /// Counts a duration.
    fileprivate mutating func record(microseconds: UInt32) {
        record(nanoseconds: UInt64(microseconds) &* 1000)
    }
}
