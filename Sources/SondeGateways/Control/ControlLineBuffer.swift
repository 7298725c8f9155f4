/// Cuts the data of a connection into lines of bounded length.
struct ControlLineBuffer {
    /// A line, or why there is none.
    enum Line: Equatable {
        /// A whole line without its end.
        case whole([UInt8])
        /// A line beyond the limit; what follows of it is skipped.
        case tooLong
    }

    /// The longest line, in bytes.
    static let limit = 64 << 10

    private var bytes: [UInt8] = []
    // Bytes before this hold no line end.
    private var searched = 0
    private var isSkipping = false

    mutating func append(_ new: some Collection<UInt8>) {
        bytes.append(contentsOf: new)
    }

    /// The next line; nil when none is whole yet.
    mutating func next() -> Line? {
        while true {
            guard let end = bytes[searched...].firstIndex(of: 0x0a) else {
                searched = bytes.count
                return overflow()
            }
            let line = Array(bytes[..<end])
            bytes.removeSubrange(...end)
            searched = 0
            guard !isSkipping else {
                isSkipping = false
                continue
            }
            return line.count > Self.limit ? .tooLong : .whole(line)
        }
    }

    private mutating func overflow() -> Line? {
        guard isSkipping || bytes.count > Self.limit else { return nil }
        bytes.removeAll()
        searched = 0
        guard !isSkipping else { return nil }
        isSkipping = true
        return .tooLong
    }
}
