/// Bytes that grow at the end: little-endian numbers, variable-length numbers and counted texts.
struct ByteWriter {
    private var storage: [UInt8] = []
    /// How many bytes were written.
    private(set) var count = 0

    /// Nothing yet.
    init() {}

    /// What was written.
    var bytes: ArraySlice<UInt8> { storage[..<count] }

    /// Drops everything after the first `count` bytes and keeps the memory.
    mutating func truncate(to count: Int) {
        self.count = min(self.count, count)
    }

    /// Frees memory that one large frame took.
    mutating func shrink(to capacity: Int) {
        if storage.count > capacity { storage = [] }
        count = 0
    }

    /// Lets `body` write at most `room` bytes and return how many they were.
    mutating func write(atMost room: Int, _ body: (UnsafeMutableRawPointer) -> Int) {
        if storage.count < count &+ room { grow(to: count &+ room) }
        let offset = count
        count &+= storage.withUnsafeMutableBytes { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            return body(base + offset)
        }
    }

    mutating func append(_ byte: UInt8) {
        write(atMost: 1) { pointer in
            pointer.storeBytes(of: byte, as: UInt8.self)
            return 1
        }
    }

    mutating func append(_ value: some FixedWidthInteger) {
        let width = value.bitWidth / 8
        write(atMost: width) { pointer in
            pointer.storeBytes(of: value.littleEndian, as: type(of: value))
            return width
        }
    }

    mutating func append(variable value: UInt64) {
        write(atMost: 10) { Variable.store(value, at: $0) }
    }

    mutating func append(contentsOf bytes: some Collection<UInt8>) {
        let length = bytes.count
        write(atMost: length) { pointer in
            UnsafeMutableRawBufferPointer(start: pointer, count: length).copyBytes(from: bytes)
            return length
        }
    }

    mutating func append(counted bytes: [UInt8]) {
        append(variable: UInt64(bytes.count))
        append(contentsOf: bytes)
    }

    mutating func append(text: String) {
        append(variable: UInt64(text.utf8.count))
        append(contentsOf: text.utf8)
    }

    /// Replaces four bytes that were written before.
    mutating func set(_ value: UInt32, at offset: Int) {
        storage.withUnsafeMutableBytes { $0.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt32.self) }
    }

    /// Passes what was written from `offset` on to `body`.
    func withBytes<Result, Failure>(
        from offset: Int = 0,
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storage.withUnsafeBufferPointer { bytes throws(Failure) in
            try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[offset..<count])))
        }
    }

    private mutating func grow(to size: Int) {
        let capacity = max(size, storage.count * 2, 1_024)
        // Not byte by byte (`append(contentsOf: repeatElement…)`): without optimization that was a fifth of what all tests take.
        storage = [UInt8](unsafeUninitializedCapacity: capacity) { grown, initialized in
            let bytes = UnsafeMutableRawBufferPointer(grown)
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            bytes.copyBytes(from: storage)
            initialized = capacity
        }
    }
}

/// Numbers of one to ten bytes: seven bits each, the lowest first, the top bit means that more follow (LEB128).
enum Variable {
    @inline(__always)
    static func store(_ value: UInt64, at pointer: UnsafeMutableRawPointer) -> Int {
        var rest = value
        var count = 0
        while rest >= 0x80 {
            pointer.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, toByteOffset: count, as: UInt8.self)
            rest >>= 7
            count &+= 1
        }
        pointer.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: count, as: UInt8.self)
        return count &+ 1
    }

    /// Signed numbers of small size as small unsigned ones.
    @inline(__always)
    static func zigzag(_ value: Int64) -> UInt64 {
        UInt64(bitPattern: (value << 1) ^ (value >> 63))
    }

    /// The signed number again.
    @inline(__always)
    static func signed(_ value: UInt64) -> Int64 {
        Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }
}
