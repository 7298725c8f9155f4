internal import SondeEngine

/// The lines of a file one after another, with a bounded buffer.
struct LineReader {
    private static let chunk = 64 << 10

    private let file: any OpenFile
    private var offset: Int64 = 0
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    /// Opens a regular file; nil when that fails.
    init?(_ path: String) {
        guard let file = try? PosixFileSystem().open(path, .read) else { return nil }
        self.file = file
    }

    /// The next line without its end; nil at the end of the file, and where a line is longer than `limit` bytes.
    mutating func next(limit: Int) -> [UInt8]? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0a) {
                guard end - start <= limit else { return nil }
                defer { start = end + 1 }
                return Array(buffer[start..<end])
            }
            guard !isAtEnd, buffer.count - start <= limit else { return nil }
            buffer.removeSubrange(..<start)
            start = 0
            searched = buffer.count
            fill()
        }
    }

    // A last line without its end is half of one.
    private mutating func fill() {
        let bytes = (try? file.readWhole(Self.chunk, at: offset)) ?? []
        buffer += bytes
        offset &+= Int64(bytes.count)
        isAtEnd = bytes.count < Self.chunk
    }
}
