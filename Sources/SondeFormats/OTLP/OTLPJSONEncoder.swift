public import SondeDomain

/// Writes `ExportMetricsServiceRequest` in OTLP's mapping to JSON.
///
/// https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding: keys in lowerCamelCase, integers of 64 bits as texts, enums as
/// numbers. The messages are those of ``OTLPEncoder``, one for one.
public struct OTLPJSONEncoder: BatchEncoder {
    private var encoder: OTLPEncoder
    private var message = ByteBuffer()

    /// An encoder for one sink.
    public init(_ settings: OTLPSettings = OTLPSettings()) {
        encoder = OTLPEncoder(settings)
    }

    /// Appends a batch; `lines` of the report are data points.
    public mutating func encode(_ batch: Batch, into buffer: inout ByteBuffer) -> EncodingReport {
        message.removeAll()
        let report = encoder.encode(batch, into: &message)
        if !message.isEmpty { buffer.append(message.bytes[...], as: .request) }
        return report
    }
}

/// The messages that ``OTLPEncoder`` writes.
private enum OTLPMessage {
    case request, resourceMetrics, resource, scopeMetrics, scope, metric, gauge, sum, histogram
    case numberPoint, histogramPoint, keyValue, anyValue

    /// How the value of a field is written.
    enum Kind {
        case text
        case integer
        case signed
        case double
        /// A varint of 32 bits.
        case number
        case flag
        case integers
        case doubles
        case message(OTLPMessage)
        /// One element of an array.
        case element(OTLPMessage)
    }

    /// The key and the kind of a field; nil: the encoder writes none of this number.
    func field(_ number: UInt64) -> (key: StaticString, kind: Kind)? {
        switch (self, number) {
        case (.request, 1): ("resourceMetrics", .element(.resourceMetrics))
        case (.resourceMetrics, 1): ("resource", .message(.resource))
        case (.resourceMetrics, 2): ("scopeMetrics", .element(.scopeMetrics))
        case (.scopeMetrics, 1): ("scope", .message(.scope))
        case (.scopeMetrics, 2): ("metrics", .element(.metric))
        case (.scope, 1), (.metric, 1): ("name", .text)
        case (.scope, 2): ("version", .text)
        case (.metric, 2): ("description", .text)
        case (.metric, 3): ("unit", .text)
        case (.metric, 5): ("gauge", .message(.gauge))
        case (.metric, 7): ("sum", .message(.sum))
        case (.metric, 9): ("histogram", .message(.histogram))
        case (.gauge, 1), (.sum, 1): ("dataPoints", .element(.numberPoint))
        case (.histogram, 1): ("dataPoints", .element(.histogramPoint))
        case (.sum, 2), (.histogram, 2): ("aggregationTemporality", .number)
        case (.sum, 3): ("isMonotonic", .flag)
        case (.resource, 1), (.numberPoint, 7), (.histogramPoint, 9): ("attributes", .element(.keyValue))
        case (.numberPoint, 2), (.histogramPoint, 2): ("startTimeUnixNano", .integer)
        case (.numberPoint, 3), (.histogramPoint, 3): ("timeUnixNano", .integer)
        case (.numberPoint, 4): ("asDouble", .double)
        case (.numberPoint, 6): ("asInt", .signed)
        case (.histogramPoint, 4): ("count", .integer)
        case (.histogramPoint, 5): ("sum", .double)
        case (.histogramPoint, 6): ("bucketCounts", .integers)
        case (.histogramPoint, 7): ("explicitBounds", .doubles)
        case (.numberPoint, 8), (.histogramPoint, 10): ("flags", .number)
        case (.keyValue, 1): ("key", .text)
        case (.keyValue, 2): ("value", .message(.anyValue))
        case (.anyValue, 1): ("stringValue", .text)
        default: nil
        }
    }
}

extension ByteBuffer {
    /// Appends a message as an object; elements of an array follow one another, as the encoder writes them.
    fileprivate mutating func append(_ bytes: ArraySlice<UInt8>, as message: OTLPMessage) {
        append(0x7b)
        var array: UInt64?
        var isFirst = true
        for (number, value) in ProtobufFields(bytes) {
            guard let (key, kind) = message.field(number) else { continue }
            if array != number {
                if array != nil { append(0x5d) }
                array = nil
                if !isFirst { append(0x2c) }
                append(0x22)
                append(literal: key)
                append(literal: "\":")
                if case .element = kind {
                    append(0x5b)
                    array = number
                }
            } else {
                append(0x2c)
            }
            isFirst = false
            append(value, as: kind)
        }
        if array != nil { append(0x5d) }
        append(0x7d)
    }

    private mutating func append(_ value: ProtobufFields.Value, as kind: OTLPMessage.Kind) {
        switch (kind, value) {
        case (.message(let message), .bytes(let bytes)), (.element(let message), .bytes(let bytes)):
            append(bytes, as: message)
        case (.text, .bytes(let text)): text.withUnsafeBufferPointer { append(jsonString: $0) }
        case (.integer, .fixed64(let bits)): append(quoted: bits)
        case (.signed, .fixed64(let bits)):
            append(0x22)
            append(decimal: Int64(bitPattern: bits))
            append(0x22)
        case (.double, .fixed64(let bits)): append(jsonNumber: Double(bitPattern: bits))
        case (.number, .varint(let number)): append(decimal: number)
        case (.flag, .varint(let number)): append(literal: number == 0 ? "false" : "true")
        case (.integers, .bytes(let packed)): append(packed) { $0.append(quoted: $1) }
        case (.doubles, .bytes(let packed)): append(packed) { $0.append(jsonNumber: Double(bitPattern: $1)) }
        default: append(literal: "null")
        }
    }

    private mutating func append(quoted value: UInt64) {
        append(0x22)
        append(decimal: value)
        append(0x22)
    }

    /// Appends values of eight bytes each as an array.
    private mutating func append(_ packed: ArraySlice<UInt8>, _ write: (inout ByteBuffer, UInt64) -> Void) {
        append(0x5b)
        for start in stride(from: packed.startIndex, to: packed.endIndex, by: 8) {
            if start > packed.startIndex { append(0x2c) }
            write(&self, packed[start...].prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) })
        }
        append(0x5d)
    }
}
