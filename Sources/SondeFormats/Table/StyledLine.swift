/// One line of a view: pieces of text with what they mean, so that color is decided in one place.
public struct StyledLine: Hashable, Sendable {
    /// What a piece of text is.
    public enum Style: Hashable, Sendable {
        /// A value.
        case plain
        /// A title or a sum.
        case strong
        /// A caption, or a value of little meaning.
        case faint
        /// A loss, or something that could not be shown.
        case warning
    }

    /// A piece of text.
    public struct Span: Hashable, Sendable {
        /// The text, without control characters.
        public let text: String
        /// What it is.
        public let style: Style

        /// A piece of text.
        public init(_ text: String, _ style: Style = .plain) {
            self.text = text
            self.style = style
        }
    }

    /// The pieces in order.
    public private(set) var spans: [Span]

    /// A line of these pieces.
    public init(_ spans: [Span] = []) {
        self.spans = spans
    }

    /// A line of one piece.
    public init(_ text: String, _ style: Style = .plain) {
        spans = [Span(text, style)]
    }

    /// Appends a piece.
    public mutating func append(_ text: String, _ style: Style = .plain) {
        spans.append(Span(text, style))
    }

    /// How many columns of a terminal it takes.
    public var width: Int {
        spans.reduce(0) { $0 + DisplayText.width($1.text) }
    }

    /// The line cut to so many columns, with `…` for what is missing.
    public func clipped(to columns: Int) -> StyledLine {
        guard width > columns else { return self }
        var rest = columns
        var line = StyledLine()
        for span in spans where rest > 0 {
            let text = DisplayText.clip(span.text, to: rest)
            line.append(text, span.style)
            rest -= DisplayText.width(text)
        }
        return line
    }
}

extension StyledLine {
    /// Appends the line's text, without a line break.
    ///
    /// Colored with ECMA-48 sequences that every terminal supports, or plain.
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
    /// Only text.
    case none
    /// ECMA-48 sequences.
    case ansi
}
