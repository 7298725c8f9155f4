/// The newest lines of a log that cannot be written now; bounded.
struct HeldLines {
    private static let bound = 200

    /// Oldest first.
    private(set) var lines: [[UInt8]] = []
    /// How many older ones found no room.
    private(set) var dropped = 0

    /// Keeps a line, the oldest makes room.
    mutating func append(_ line: [UInt8]) {
        if lines.count >= Self.bound {
            lines.removeFirst()
            dropped += 1
        }
        lines.append(line)
    }
}
