import SondePluginKit
import SondeWire

extension TCPReassembly {
    /// Begins to read a segment of the stream `key`; its messages are had from ``next()``.
    mutating func push(_ segment: StreamSegment, stream key: UInt64, _ owner: StreamOwner, now: Int64) {
        expire(now: now)
        begin(segment)
        guard segment.wireLength > 0 || segment.opensStream || segment.endsStream else { return }
        select(key: key, owner, opening: segment.opensStream, now: now)
        if segment.opensStream {
            stream.pointee.base = segment.sequence
            stream.pointee.isSynchronized = true
        }
        if stream.pointee.buffer.hasGap, isPatienceOver(now) { giveUpGap() }
        if !stream.pointee.buffer.hasGap { stream.pointee.gapTime = now }
    }

    /// Begins to read what is left of the stream that was quiet for the longest time, and returns its owner.
    mutating func endQuietest() -> StreamOwner? {
        begin(.end)
        return selectQuietest()
    }

    private mutating func begin(_ segment: StreamSegment) {
        handedOut = 0
        isGivenUp = false
        hasJumped = false
        current = SlotLinks.none
        self.segment = segment
    }

    /// The next message of the pushed segment, or nil when there is none any more.
    mutating func next() -> TCPMessage? {
        guard current != SlotLinks.none else { return nil }
        dropHandedOut()
        while true {
            if let message = gathered() ?? direct() {
                counts.messages &+= 1
                return message
            }
            if segment.wireLength > 0, takeSegment() { continue }
            // No segment will close the gap.
            guard segment.endsStream, stream.pointee.buffer.hasGap else { break }
            giveUpGap()
        }
        if segment.endsStream { releaseBuffer(of: current) }
        current = SlotLinks.none
        return nil
    }

    /// The message at the beginning of the buffer, when it is whole or given up.
    private mutating func gathered() -> TCPMessage? {
        guard let length = stream.pointee.buffer.bytes.uint16(at: 0), isGivenUp || hasWholeMessage else { return nil }
        if !hasWholeMessage { counts.incomplete &+= 1 }
        isGivenUp = false
        handedOut = 2 &+ Int(length)
        return TCPMessage(
            bytes: stream.pointee.buffer.bytes.dropping(2).prefix(Int(length)),
            wireLength: Int(length),
            hasWaited: hasJumped
        )
    }

    private mutating func dropHandedOut() {
        guard handedOut > 0 else { return }
        advance(handedOut)
        handedOut = 0
    }

    /// Lets the next message begin `count` bytes later.
    private mutating func advance(_ count: Int) {
        stream.pointee.base &+= UInt32(truncatingIfNeeded: count)
        stream.pointee.buffer.drop(count)
        guard stream.pointee.buffer.isEmpty, stream.pointee.buffer.capacity > 0 else { return }
        releaseBuffer(of: current)
    }

    /// A message that begins in the segment, when nothing is gathered and the segment holds all that was captured of it.
    private mutating func direct() -> TCPMessage? {
        guard segment.wireLength > 0, stream.pointee.isSynchronized, stream.pointee.buffer.isEmpty else { return nil }
        trim()
        guard segment.wireLength > 0, segment.sequence == stream.pointee.base else { return nil }
        let isCut = segment.payload.count < segment.wireLength
        guard let length = segment.payload.uint16(at: 0) else {
            // The capture cut the length away: the beginning of the next message is unknown.
            if isCut { loseTrack() }
            return nil
        }
        let total = 2 &+ Int(length)
        guard segment.wireLength >= total || isCut else { return nil }
        let message = TCPMessage(bytes: segment.payload.dropping(2).prefix(Int(length)), wireLength: Int(length))
        stream.pointee.base &+= UInt32(truncatingIfNeeded: total)
        skip(min(total, segment.wireLength))
        return message
    }

    /// Puts the segment into the buffer; returns whether there may be a message now.
    private mutating func takeSegment() -> Bool {
        guard stream.pointee.isSynchronized || synchronize() else { return false }
        trim()
        guard segment.wireLength > 0 else { return false }
        let isCut = segment.payload.count < segment.wireLength
        let offset = distance
        guard offset < ReassemblyLimits.bytesPerStream else { return giveUp() }
        // What the capture cut will never come: there is nothing to wait for.
        guard !isCut || offset <= stream.pointee.buffer.filled else { return giveUp() }
        let fitting = min(segment.payload.count, ReassemblyLimits.bytesPerStream &- offset)
        guard reserve(offset &+ fitting) else {
            counts.evicted &+= 1
            loseTrack()
            return false
        }
        guard fitting == 0 || stream.pointee.buffer.put(segment.payload.prefix(fitting), at: offset) else {
            return giveUp()
        }
        skip(fitting)
        if isCut, segment.payload.count == 0, !hasWholeMessage { return giveUp() }
        return true
    }

    private var hasWholeMessage: Bool {
        guard let length = stream.pointee.buffer.bytes.uint16(at: 0) else { return false }
        return stream.pointee.buffer.filled >= 2 &+ Int(length)
    }

    /// Stops waiting for missing bytes; returns whether there may be a message now.
    private mutating func giveUp() -> Bool {
        giveUpGap()
        return stream.pointee.isSynchronized || synchronize()
    }

    /// Hands out the message being gathered as it is, or continues after the gap when even its length is unknown.
    private mutating func giveUpGap() {
        counts.gaps &+= 1
        hasJumped = hasJumped || stream.pointee.buffer.hasGap
        if stream.pointee.buffer.filled >= 2 {
            isGivenUp = true
        } else {
            jumpGap()
        }
    }

    /// Continues the stream at the first stretch that begins with a sound message: it may begin where a segment did.
    private mutating func jumpGap() {
        while stream.pointee.buffer.hasGap {
            let missing = stream.pointee.buffer.firstLater
            stream.pointee.base &+= UInt32(truncatingIfNeeded: missing)
            stream.pointee.buffer.drop(missing)
            if Self.isSound(stream.pointee.buffer.bytes) { return }
            counts.unsynchronized &+= 1
            stream.pointee.base &+= UInt32(truncatingIfNeeded: stream.pointee.buffer.filled)
            stream.pointee.buffer.drop(stream.pointee.buffer.filled)
        }
        loseTrack()
    }

    private mutating func loseTrack() {
        releaseBuffer(of: current)
        isGivenUp = false
        stream.pointee.isSynchronized = false
    }

    /// Continues the stream at the segment when that begins with a sound message.
    private mutating func synchronize() -> Bool {
        guard Self.isSound(segment.payload) else { return loseSegment() }
        stream.pointee.base = segment.sequence
        stream.pointee.isSynchronized = true
        return true
    }

    /// Whether bytes look like the length of a message and the message, or as much of it as there is.
    private static func isSound(_ bytes: WireBytes) -> Bool {
        guard let length = bytes.uint16(at: 0), Int(length) >= DNSHeader.size else { return false }
        var summary = DNSSummary()
        // No hash of it is used.
        summary.decode(bytes.dropping(2).prefix(Int(length)), wireLength: Int(length), seed: 0)
        return summary.malformation == nil && summary.extent != .nothing && summary.extent != .flags
    }

    private mutating func loseSegment() -> Bool {
        counts.unsynchronized &+= 1
        segment.wireLength = 0
        return false
    }

    private func isPatienceOver(_ now: Int64) -> Bool {
        let (waited, overflow) = now.subtractingReportingOverflow(stream.pointee.gapTime)
        return overflow || waited > limits.patience
    }

    /// How far after the base the segment begins.
    private var distance: Int {
        Int(Int32(bitPattern: segment.sequence &- stream.pointee.base))
    }

    /// Removes the bytes before the base: they were received already.
    private mutating func trim() {
        let old = -distance
        if old > 0 { skip(min(old, segment.wireLength)) }
    }

    private mutating func skip(_ count: Int) {
        segment.sequence &+= UInt32(truncatingIfNeeded: count)
        segment.payload = segment.payload.dropping(count)
        segment.wireLength &-= count
    }
}
