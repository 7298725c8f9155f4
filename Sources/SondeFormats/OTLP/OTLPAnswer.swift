/// What a receiver of OTLP says in `ExportMetricsServiceResponse` of a request that it has taken.
public struct OTLPAnswer: Hashable, Sendable {
    /// How many data points it has refused; never negative.
    public private(set) var rejectedPoints: UInt64 = 0
    /// Why, or a warning where it has refused none; anything that a receiver writes.
    public private(set) var message: [UInt8] = []

    /// Whether everything was taken without a word.
    public var isComplete: Bool { rejectedPoints == 0 && message.isEmpty }

    // A receiver's message has a few values; a body of many more is none, and would take memory.
    private static let limits = JSONReader.Limits(depth: 16, values: 10_000)

    /// The answer with this body, in JSON or protobuf, whatever the request was in; what cannot be read says nothing.
    public init(_ body: [UInt8]) {
        if let document = Self.document(body) { self.init(document) } else { self.init(protobuf: body) }
    }

    private init(_ document: JSONValue) {
        guard let partial = document["partialSuccess"] else { return }
        let count = partial["rejectedDataPoints"]
        rejectedPoints = UInt64(max(0, count?.asInt64 ?? count?.asString.flatMap { Int64($0) } ?? 0))
        message = Array((partial["errorMessage"]?.asString ?? "").utf8)
    }

    private init(protobuf body: [UInt8]) {
        for case (1, .bytes(let partial)) in ProtobufFields(body[...]) {
            for field in ProtobufFields(partial) {
                switch field {
                case (1, .varint(let count)): rejectedPoints = UInt64(max(0, Int64(bitPattern: count)))
                case (2, .bytes(let text)): message = Array(text)
                default: break
                }
            }
        }
    }

    /// The message of a `google.rpc.Status`, with which failures are answered, in protobuf or JSON; nil for a body that is none.
    public static func message(ofStatus body: [UInt8]) -> [UInt8]? {
        if let text = document(body)?["message"]?.asString { return Array(text.utf8) }
        // A text does not begin like a message: these are the tags of its fields 1 and 2.
        guard let first = body.first, first == 0x08 || first == 0x12 else { return nil }
        for case (2, .bytes(let text)) in ProtobufFields(body[...]) { return Array(text) }
        return nil
    }

    private static func document(_ body: [UInt8]) -> JSONValue? {
        try? JSONReader.parse(body, limits: limits)
    }
}
