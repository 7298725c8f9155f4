/// A place in a text file.
public struct SourceMark: Hashable, Sendable, CustomStringConvertible {
    /// The file as it was named.
    public let file: String
    /// Counted from 1.
    public let line: Int
    /// Counted in characters from 1.
    public let column: Int

    /// A place.
    public init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// `file:line:column`.
    public var description: String { "\(file):\(line):\(column)" }
}
