/// Text broken into lines.
enum Paragraph {
    /// The words of a text in lines of at most so many columns; a longer word has its own line.
    static func lines(_ text: String, columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in HarmlessText.line(text).split(separator: " ") {
            let joined = line.isEmpty ? String(word) : "\(line) \(word)"
            if !line.isEmpty, ColumnTable.width(joined) > columns {
                lines.append(line)
                line = String(word)
            } else {
                line = joined
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
