/// A JSON object that travels beside the points: a domain snapshot for instance.
public struct Document: Hashable, Sendable {
    /// What it is, `sonde.snapshot/2`.
    public let schema: String
    /// When it was made.
    public let time: Timestamp
    /// One JSON object without line breaks, as UTF-8.
    public let json: [UInt8]

    /// A document.
    public init(schema: String, time: Timestamp, json: [UInt8]) {
        self.schema = schema
        self.time = time
        self.json = json
    }
}
