internal import Glibc

extension AppendFile {
    /// How far back a line's begin is looked for.
    static let tornLineBound = 1 << 20

    /// Cuts a last line that has no end and tells how many bytes it had; 0 when there was none.
    ///
    /// Such a line is what a killed agent or a power loss leaves in the middle of a write. Its batch was not
    /// acknowledged and comes again whole, so that nothing is lost with it. Without any line end within reach the file
    /// is none of ours: it is left alone, and the first batch begins on a line of its own.
    func cutTornLine() -> Int64 {
        guard length > 0, let start = tornLineStart(), start < length else { return 0 }
        guard ftruncate(descriptor, off_t(start)) == 0 else { return 0 }
        let cut = length - start
        length = start
        return cut
    }

    /// Where the bytes after the last line end begin, or nil when no line end is within reach.
    private func tornLineStart() -> Int64? {
        var block = [UInt8](repeating: 0, count: 64 << 10)
        var end = length
        while end > 0, length - end < Int64(Self.tornLineBound) {
            let start = max(0, end - Int64(block.count))
            let wanted = Int(end - start)
            let count = block.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, wanted, off_t(start)) }
            guard count == wanted else { return nil }
            if let newline = block[..<wanted].lastIndex(of: UInt8(ascii: "\n")) { return start + Int64(newline) + 1 }
            end = start
        }
        return nil
    }
}
