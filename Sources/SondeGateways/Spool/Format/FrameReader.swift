internal import SondeDomain
internal import SondeEngine

/// Reads the frames of a file one after another, with a bounded buffer.
struct FrameReader {
    /// What was found.
    enum Step<Result> {
        /// A whole frame.
        case frame(Result)
        /// Nothing is left.
        case end
        /// Something that is not a frame, or not the one that should be here.
        case damaged
        /// The file cannot be read.
        case failed(FileSystemError)
    }

    // So that it comes from the heap, and not from new pages each time.
    private static let chunk = MappedAllocation.smallest - (4 << 10)
    // What is skipped is not wanted: a head, and the small frames that come with it.
    private static let skippedChunk = 4 << 10

    private let file: any OpenFile
    private let end: Int64
    /// The offset of the next frame.
    private(set) var offset: Int64
    private var buffer: [UInt8] = []
    private var bufferOffset: Int64 = 0
    private var filled = 0

    /// A reader from `offset` up to `end`.
    init(_ file: any OpenFile, from offset: Int64, to end: Int64) {
        self.file = file
        self.offset = offset
        self.end = end
    }

    /// Reads the next frame and passes its payload to `body`.
    mutating func next<Result>(_ body: (FrameHead, UnsafeRawBufferPointer) -> Result) -> Step<Result> {
        guard offset < end else { return .end }
        do throws(FileSystemError) {
            guard try fill(Frame.headLength), let head = head(), try fill(Frame.headLength + head.length) else {
                return .damaged
            }
            return check(head, body)
        } catch {
            return .failed(error)
        }
    }

    /// Passes over the next frame without reading or checking its payload; nil where none is.
    mutating func skip() throws(FileSystemError) -> FrameHead? {
        guard try fill(Frame.headLength, chunk: Self.skippedChunk), let head = head() else { return nil }
        offset &+= Int64(Frame.headLength &+ head.length)
        return head
    }

    private func head() -> FrameHead? {
        withBuffer { FrameHead($0) }
    }

    private mutating func check<Result>(
        _ head: FrameHead,
        _ body: (FrameHead, UnsafeRawBufferPointer) -> Result
    ) -> Step<Result> {
        let length = Frame.headLength + head.length
        let result: Result? = withBuffer { bytes in
            let frame = UnsafeRawBufferPointer(rebasing: bytes[..<length])
            let checked = UnsafeRawBufferPointer(rebasing: frame[Frame.checkedFrom...])
            guard CRC32C.checksum(checked) == head.checksum else { return nil }
            return body(head, UnsafeRawBufferPointer(rebasing: frame[Frame.headLength...]))
        }
        guard let result else { return .damaged }
        offset &+= Int64(length)
        return .frame(result)
    }

    private func withBuffer<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[Int(offset - bufferOffset)...])) }
    }

    /// Makes `length` bytes at the offset available; false when the file ends before.
    private mutating func fill(_ length: Int, chunk: Int = Self.chunk) throws(FileSystemError) -> Bool {
        guard Int64(length) <= end &- offset else { return false }
        if offset >= bufferOffset, offset &+ Int64(length) <= bufferOffset &+ Int64(filled) { return true }
        let wanted = Int(min(Int64(max(length, chunk)), end &- offset))
        if buffer.count < wanted { buffer = [UInt8](repeating: 0, count: wanted) }
        bufferOffset = offset
        filled = 0
        while filled < wanted {
            let step = try readStep(at: filled, to: wanted)
            if step == 0 { break }
            filled &+= step
        }
        return filled >= length
    }

    private mutating func readStep(at count: Int, to end: Int) throws(FileSystemError) -> Int {
        let (file, offset) = (file, bufferOffset)
        return try buffer.withUnsafeMutableBufferPointer { bytes throws(FileSystemError) in
            let rest = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: bytes[count..<end]))
            return try file.read(into: rest, at: offset &+ Int64(count))
        }
    }
}
