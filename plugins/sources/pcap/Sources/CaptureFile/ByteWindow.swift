/// A bounded stretch of a file in memory, which moves forward.
struct ByteWindow: ~Copyable {
    /// How much is in memory at most, and thus the longest record that can be read whole.
    static let capacity = 512 << 10

    private let input: CaptureInput
    private let buffer: UnsafeMutableRawPointer
    private var position = 0
    private var end = 0
    /// How many bytes of the file are before the buffer.
    private var passed: UInt64 = 0
    private var isAtEnd = false

    init(_ input: CaptureInput) {
        self.input = input
        buffer = .allocate(byteCount: Self.capacity, alignment: 16)
    }

    deinit {
        buffer.deallocate()
    }

    /// Where in the (uncompressed) file the window begins.
    var offset: UInt64 { passed &+ UInt64(position) }

    /// Where what is in memory ends in the file.
    var endOffset: UInt64 { passed &+ UInt64(end) }

    /// How many bytes are there without reading more.
    var count: Int {
        @inline(__always) get { end &- position }
    }

    /// The first byte; valid until ``require(_:)`` or ``skip(_:)`` is called.
    var start: UnsafeRawPointer {
        @inline(__always) get { UnsafeRawPointer(buffer + position) }
    }

    /// Whether `needed` bytes are there, after reading more where they are not; false when the file ends before.
    @inline(__always)
    mutating func require(_ needed: Int) throws(CaptureFileError) -> Bool {
        if end &- position >= needed { return true }
        return try refill(needed)
    }

    /// Goes past `count` bytes that are there.
    @inline(__always)
    mutating func advance(_ count: Int) {
        position = min(position &+ count, end)
    }

    /// Goes past `length` bytes, however many; false when the file ends before.
    mutating func skip(_ length: UInt64) throws(CaptureFileError) -> Bool {
        var left = length
        while left > 0 {
            guard try require(1) else { return false }
            let step = Int(min(left, UInt64(count)))
            advance(step)
            left -= UInt64(step)
        }
        return true
    }

    @inline(never)
    private mutating func refill(_ needed: Int) throws(CaptureFileError) -> Bool {
        guard needed <= Self.capacity else { return false }
        let rest = end - position
        buffer.copyMemory(from: buffer + position, byteCount: rest)
        passed &+= UInt64(position)
        position = 0
        end = rest
        while end < needed, !isAtEnd {
            let room = UnsafeMutableRawBufferPointer(start: buffer + end, count: Self.capacity - end)
            let read = try input.read(into: room)
            isAtEnd = read == 0
            end += min(read, room.count)
        }
        return end >= needed
    }
}
