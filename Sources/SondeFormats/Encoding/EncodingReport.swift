/// What became of a batch when it was encoded.
public struct EncodingReport: Hashable, Sendable {
    /// Lines written, those that are comments excluded; a histogram may take several.
    public var lines: Int
    /// Points that the format cannot say: NaN, infinity, an integer beyond its range.
    public var leftOut: Int
    /// Documents that the format cannot say.
    public var documentsLeftOut: Int

    /// A report.
    public init(lines: Int = 0, leftOut: Int = 0, documentsLeftOut: Int = 0) {
        self.lines = lines
        self.leftOut = leftOut
        self.documentsLeftOut = documentsLeftOut
    }
}
