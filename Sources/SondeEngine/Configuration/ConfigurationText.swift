/// The text of one configuration file, kept to show the lines with problems.
public struct ConfigurationText: Hashable, Sendable {
    /// A stretch of the text that must not be shown.
    public struct SecretSpan: Hashable, Sendable {
        /// The line of the first character, counted from 1.
        public let startLine: Int
        /// The column of the first character, counted from 1.
        public let startColumn: Int
        /// The line of the end.
        public let endLine: Int
        /// The column after the last character.
        public let endColumn: Int

        /// A stretch.
        public init(startLine: Int, startColumn: Int, endLine: Int, endColumn: Int) {
            self.startLine = startLine
            self.startColumn = startColumn
            self.endLine = endLine
            self.endColumn = endColumn
        }

        /// The columns of a line that it covers; nil when it covers none.
        public func columns(inLine line: Int) -> ClosedRange<Int>? {
            guard line >= startLine, line <= endLine else { return nil }
            let first = line == startLine ? startColumn : 1
            let last = line == endLine ? endColumn - 1 : Int.max
            return first <= last ? first...last : nil
        }
    }

    /// The file as marks name it.
    public let file: String
    /// Its lines without line breaks.
    public let lines: [String]
    /// The places of secrets.
    public var secrets: [SecretSpan]

    /// A text.
    public init(file: String, lines: [String], secrets: [SecretSpan] = []) {
        self.file = file
        self.lines = lines
        self.secrets = secrets
    }
}
