import SondePluginKit
import SondeWire

/// Takes DNS messages out of TCP streams, where each has its length in two bytes before it (RFC 1035, section 4.2.2).
///
/// A segment that begins with a message and ends with one, as nearly all do, is read in place. Only the rest of a
/// message that continues in the next segment is kept, and segments out of order. A message with missing bytes,
/// because the capture cut or lost them, is handed out incomplete; then the stream continues where the next message
/// must begin, or, when that is unknown, after the gap or at the next segment, where that begins with a sound one.
///
/// Use: ``push(_:stream:_:now:)``, then ``next()`` until it is nil. When nothing more will come ``endQuietest()``, then
/// ``next()`` until it is nil, then ``forgetQuietest()``, until there is no stream left.
struct TCPReassembly: ~Copyable {
    struct Stream {
        var key: UInt64
        let owner: StreamOwner
        /// The sequence number at which the message being gathered begins, its length first.
        var base: UInt32 = 0
        /// Whether `base` is known.
        var isSynchronized = false
        var lastTime: Int64
        /// Since when bytes are missing; only valid while the buffer has a gap.
        var gapTime: Int64 = 0
        var links = SlotLinks()
        var buffer = StreamBuffer()
    }

    /// The counts of the streams.
    struct Counts: Equatable {
        /// Messages that came in whole, or as far as the capture kept them.
        var messages: UInt64 = 0
        /// Streams that left because there were too many streams or bytes.
        var evicted: UInt64 = 0
        /// Times that bytes were missing and no longer waited for.
        var gaps: UInt64 = 0
        /// Messages that were given up before they were whole.
        var incomplete: UInt64 = 0
        /// Segments whose position in a message was unknown.
        var unsynchronized: UInt64 = 0
    }

    let limits: ReassemblyLimits
    var counts = Counts()
    /// The bytes that all buffers hold together.
    private(set) var byteCount = 0

    private var streams: UnsafeMutablePointer<Stream>
    private var capacity: Int
    private var used = 0
    private var free = SlotLinks.none
    private var index: SlotIndex
    /// The stream that was quiet for the longest time first.
    private var byUse = SlotChain()
    /// The segment that is being read, and its stream.
    var segment = StreamSegment.end
    var current = SlotLinks.none
    /// How many bytes of the current buffer were handed out by the last call.
    var handedOut = 0
    /// Whether the message being gathered goes out as far as it goes.
    var isGivenUp = false
    /// Whether a gap was given up since the last push.
    var hasJumped = false

    init(limits: ReassemblyLimits = ReassemblyLimits()) {
        self.limits = limits
        capacity = min(64, max(1, limits.streams))
        streams = .allocate(capacity: capacity)
        index = SlotIndex(capacity: capacity)
    }

    deinit {
        for slot in 0..<used { streams[slot].buffer.release() }
        streams.deallocate()
    }

    /// How many streams are followed.
    var count: Int { index.count }

    /// The current stream; there is one between a push and the end of its messages.
    var stream: UnsafeMutablePointer<Stream> { streams + Int(current) }

    /// Makes the stream of this key the current one; `opening` starts it again.
    mutating func select(key: UInt64, _ owner: StreamOwner, opening: Bool, now: Int64) {
        let known = index.slot(hash: key) { [streams] in streams[Int($0)].key == key }
        if let known {
            current = known
            byUse.remove(known, links: links)
            if opening { releaseBuffer(of: known) }
        } else {
            current = takeSlot()
            (streams + Int(current)).initialize(to: Stream(key: key, owner: owner, lastTime: now))
            index.insert(current, hash: key)
        }
        byUse.append(current, links: links)
        stream.pointee.lastTime = now
    }

    /// Removes streams that were quiet for too long.
    mutating func expire(now: Int64) {
        while byUse.first != SlotLinks.none {
            let (age, overflow) = now.subtractingReportingOverflow(streams[Int(byUse.first)].lastTime)
            guard overflow ? now > 0 : age > limits.idle else { return }
            forget(byUse.first)
        }
    }

    /// Makes the stream that was quiet for the longest time the current one; nil when there is none.
    mutating func selectQuietest() -> StreamOwner? {
        guard byUse.first != SlotLinks.none else { return nil }
        current = byUse.first
        return stream.pointee.owner
    }

    /// Removes the stream that was quiet for the longest time.
    mutating func forgetQuietest() {
        if byUse.first != SlotLinks.none { forget(byUse.first) }
    }

    /// Makes room for `end` bytes in the current buffer; false when the stream may not have them.
    ///
    /// Others that were quiet for longer leave when all hold too much together.
    mutating func reserve(_ end: Int) -> Bool {
        guard end > stream.pointee.buffer.capacity else { return true }
        guard let size = StreamBuffer.capacity(for: end) else { return false }
        while byteCount &+ size &- stream.pointee.buffer.capacity > limits.bytes {
            guard byUse.first != current else { return false }
            counts.evicted &+= 1
            forget(byUse.first)
        }
        byteCount &+= size &- stream.pointee.buffer.capacity
        stream.pointee.buffer.resize(to: size)
        return true
    }

    /// Gives up what a stream holds.
    mutating func releaseBuffer(of slot: UInt32) {
        if !streams[Int(slot)].buffer.isEmpty { counts.incomplete &+= 1 }
        byteCount &-= streams[Int(slot)].buffer.capacity
        streams[Int(slot)].buffer.release()
    }

    private var links: (UInt32) -> UnsafeMutablePointer<SlotLinks> {
        let streams = streams
        return { slot in
            UnsafeMutableRawPointer(streams + Int(slot))
                .advanced(by: MemoryLayout<Stream>.offset(of: \.links).unsafelyUnwrapped)
                .assumingMemoryBound(to: SlotLinks.self)
        }
    }

    private mutating func forget(_ slot: UInt32) {
        releaseBuffer(of: slot)
        byUse.remove(slot, links: links)
        index.remove(slot, hash: streams[Int(slot)].key)
        streams[Int(slot)].links.next = free
        free = slot
    }

    private mutating func takeSlot() -> UInt32 {
        if free == SlotLinks.none {
            if used == capacity, capacity < limits.streams { grow() }
            if used < capacity {
                used &+= 1
                return UInt32(truncatingIfNeeded: used &- 1)
            }
            counts.evicted &+= 1
            forget(byUse.first)
        }
        let slot = free
        free = streams[Int(slot)].links.next
        return slot
    }

    private mutating func grow() {
        let larger = min(capacity &* 2, limits.streams)
        let moved = UnsafeMutablePointer<Stream>.allocate(capacity: larger)
        moved.moveInitialize(from: streams, count: used)
        streams.deallocate()
        streams = moved
        capacity = larger
    }
}
