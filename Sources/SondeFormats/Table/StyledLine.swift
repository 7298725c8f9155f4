/// One line of a view: pieces of text with what they mean, so that color is decided in one place.
public struct StyledLine: Hashable, Sendable {
    /// What a piece of text is.
    public enum Style: Hashable, Sendable {
        /// A value.
        case plain
        /// A title or a sum.
        case strong
        /// A caption, or a value that says little.
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
