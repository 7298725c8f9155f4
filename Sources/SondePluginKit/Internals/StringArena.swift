internal import CSondePlugin

/// Keeps copies of strings, NUL-terminated, until it is gone.
final class StringArena {
    private var blocks: [UnsafeMutablePointer<CChar>] = []

    deinit {
        for block in blocks { block.deallocate() }
    }

    /// A copy that lives as long as the arena.
    func store(_ text: String) -> sonde_string {
        var text = text
        return text.withUTF8 { utf8 in
            let block = UnsafeMutablePointer<CChar>.allocate(capacity: utf8.count + 1)
            utf8.withMemoryRebound(to: CChar.self) { chars in
                if let start = chars.baseAddress { block.initialize(from: start, count: chars.count) }
            }
            block[utf8.count] = 0
            blocks.append(block)
            return sonde_string(data: block, size: utf8.count)
        }
    }
}
