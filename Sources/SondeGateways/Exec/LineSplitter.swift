/// Cuts what a program prints into lines; bounded.
struct LineSplitter {
    /// The most bytes of a line.
    static let lineLimit = 256 << 10

    private var rest: [UInt8] = []
    private var isTooLong = false

    /// Whether there is a line without its end.
    var hasUnfinished: Bool { !rest.isEmpty || isTooLong }

    /// Gives each line to `body` without its end; nil: it was longer than the bound.
    mutating func take(_ bytes: UnsafeRawBufferPointer, _ body: (ArraySlice<UInt8>?) -> Void) {
        var start = 0
        while let end = bytes[start...].firstIndex(of: 0x0a) {
            append(bytes[start..<end])
            if rest.last == 0x0d { rest.removeLast() }
            body(isTooLong ? nil : rest[...])
            removeUnfinished()
            start = end + 1
        }
        append(bytes[start...])
    }

    /// Gives what follows the last end of a line to `body`, as a line.
    mutating func takeUnfinished(_ body: (ArraySlice<UInt8>?) -> Void) {
        body(isTooLong ? nil : rest[...])
        removeUnfinished()
    }

    /// Forgets what follows the last end of a line.
    private mutating func removeUnfinished() {
        rest.removeAll(keepingCapacity: rest.capacity <= 16 << 10)
        isTooLong = false
    }

    private mutating func append(_ bytes: Slice<UnsafeRawBufferPointer>) {
        guard !isTooLong, rest.count + bytes.count <= Self.lineLimit else {
            isTooLong = true
            rest.removeAll()
            return
        }
        rest.append(contentsOf: bytes)
    }
}
