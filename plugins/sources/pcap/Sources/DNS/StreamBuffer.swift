import SondeWire

/// The bytes of one TCP stream from the beginning of a message on, with what has come out of order after them.
///
/// Four stretches after the first gap are kept. The memory is the reassembly's to account for.
struct StreamBuffer {
    private struct Stretch {
        var start: Int
        var end: Int
    }

    private typealias Stretches = (Stretch, Stretch, Stretch, Stretch)

    /// How many stretches after gaps there can be.
    static let mostStretches = 4

    private var memory: UnsafeMutableRawPointer?
    /// How many bytes of memory there are.
    private(set) var capacity = 0
    /// How many bytes there are before the first gap.
    private(set) var filled = 0
    /// Where in the memory the bytes begin: what was dropped is closed up only now and then.
    ///
    /// A stream of empty messages would otherwise move all bytes for every two of them.
    private var head = 0
    private var later: Stretches
    private var laterCount = 0

    init() {
        let none = Stretch(start: 0, end: 0)
        later = (none, none, none, none)
    }

    var isEmpty: Bool { filled == 0 && laterCount == 0 }
    /// Whether bytes are missing before others that have come.
    var hasGap: Bool { laterCount > 0 }
    /// Where the bytes after the first gap begin; undefined without a gap.
    var firstLater: Int { later.0.start }

    /// The bytes before the first gap.
    var bytes: WireBytes {
        WireBytes(UnsafeRawBufferPointer(start: memory.map { $0 + head }, count: filled))
    }

    /// The capacity that holds `end` bytes, or nil beyond the bound of a stream.
    static func capacity(for end: Int) -> Int? {
        guard end <= ReassemblyLimits.bytesPerStream else { return nil }
        var size = 512
        while size < end { size &*= 2 }
        return min(size, ReassemblyLimits.bytesPerStream)
    }

    /// Moves the bytes into memory of `size` bytes, which holds them all.
    mutating func resize(to size: Int) {
        closeUp()
        let moved = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
        if let memory {
            moved.copyMemory(from: memory, byteCount: min(capacity, size))
            memory.deallocate()
        }
        memory = moved
        capacity = size
    }

    /// Gives up everything, the memory too.
    mutating func release() {
        memory?.deallocate()
        self = StreamBuffer()
    }

    /// Puts bytes where they belong; false when that would make one gap too many.
    ///
    /// The capacity holds them.
    mutating func put(_ payload: WireBytes, at offset: Int) -> Bool {
        guard let memory, offset >= 0, payload.count > 0, offset &+ payload.count <= capacity else { return false }
        let end = offset &+ payload.count
        guard offset <= filled || note(Stretch(start: offset, end: end)) else { return false }
        if head &+ end > capacity { closeUp() }
        let target = memory + (head &+ offset)
        target.copyMemory(from: payload.buffer.baseAddress.unsafelyUnwrapped, byteCount: payload.count)
        if offset <= filled { filled = max(filled, end) }
        join()
        return true
    }

    /// Drops the first `count` bytes, come or not.
    mutating func drop(_ count: Int) {
        head &+= count
        filled = max(0, filled &- count)
        var kept = 0
        for index in 0..<laterCount {
            let stretch = self[index]
            guard stretch.end > count else { continue }
            self[kept] = Stretch(start: max(0, stretch.start &- count), end: stretch.end &- count)
            kept &+= 1
        }
        laterCount = kept
        join()
        if isEmpty { head = 0 }
        if head &* 2 > capacity { closeUp() }
    }

    /// Moves the bytes to the beginning of the memory.
    private mutating func closeUp() {
        guard let memory, head > 0 else { return }
        memory.copyMemory(from: memory + head, byteCount: dataEnd)
        head = 0
    }

    /// Where the last byte that has come ends.
    private var dataEnd: Int { laterCount > 0 ? self[laterCount &- 1].end : filled }

    /// Adds a stretch in its place, joined with those it touches.
    private mutating func note(_ stretch: Stretch) -> Bool {
        var joined = stretch
        var kept = 0
        let before = later
        let count = laterCount
        for index in 0..<count {
            let other = self[index]
            if other.end < joined.start || other.start > joined.end {
                self[kept] = other
                kept &+= 1
            } else {
                joined = Stretch(start: min(other.start, joined.start), end: max(other.end, joined.end))
            }
        }
        guard kept < Self.mostStretches else {
            later = before
            return false
        }
        var place = kept
        while place > 0, self[place &- 1].start > joined.start {
            self[place] = self[place &- 1]
            place &-= 1
        }
        self[place] = joined
        laterCount = kept &+ 1
        return true
    }

    /// Makes stretches that have become part of the beginning part of it.
    private mutating func join() {
        while laterCount > 0, later.0.start <= filled {
            filled = max(filled, later.0.end)
            later = (later.1, later.2, later.3, later.3)
            laterCount &-= 1
        }
    }

    private subscript(index: Int) -> Stretch {
        get {
            switch index {
            case 0: later.0
            case 1: later.1
            case 2: later.2
            default: later.3
            }
        }
        set {
            switch index {
            case 0: later.0 = newValue
            case 1: later.1 = newValue
            case 2: later.2 = newValue
            default: later.3 = newValue
            }
        }
    }
}
