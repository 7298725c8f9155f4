extension StyledLine {
    /// Appends the line's text, without a line break.
    ///
    /// Colored with ECMA-48 sequences that every terminal knows, or plain.
    public func append(to buffer: inout ByteBuffer, color: TableColor) {
        var spans = spans
        while let last = spans.last, last.text.utf8.allSatisfy({ $0 == 0x20 }) { spans.removeLast() }
        for span in spans {
            guard color == .ansi, let code = Self.code(span.style) else {
                buffer.append(span.text)
                continue
            }
            buffer.append(literal: "\u{1b}[")
            buffer.append(code)
            buffer.append(0x6d)
            buffer.append(span.text)
            buffer.append(literal: "\u{1b}[0m")
        }
    }

    private static func code(_ style: Style) -> String? {
        switch style {
        case .plain: nil
        case .strong: "1"
        case .faint: "2"
        case .warning: "33"
        }
    }
}

/// Whether a view uses color.
public enum TableColor: Hashable, Sendable {
    /// Text alone.
    case none
    /// ECMA-48 sequences.
    case ansi
}
