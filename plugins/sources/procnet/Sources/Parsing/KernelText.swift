internal import SondeDomain

/// Names as they are in kernel tables.
enum KernelText {
    /// What a longer name is refused at: the kernel's own have at most 31 bytes (`IFNAMSIZ` 16, snmp6 `%-32s`).
    static let longestName = 64

    /// The text of a name; see ``ByteText``.
    static func name(_ bytes: UnsafeRawBufferPointer) -> String { ByteText.spelled(bytes) }

    /// The words of a line, at most `limit` of them, or nil when there are more or one is too long.
    static func words(_ line: UnsafeRawBufferPointer, limit: Int) -> [String]? {
        var scanner = ByteScanner(line)
        var words: [String] = []
        while let word = scanner.word() {
            guard words.count < limit, word.count <= longestName else { return nil }
            words.append(name(word))
        }
        return words
    }
}
