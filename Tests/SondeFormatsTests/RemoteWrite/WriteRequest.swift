import SondeDomain
import SondeFormats

/// What a receiver of remote write reads, from either version.
struct WriteRequest {
    struct Sample: Hashable {
        let value: UInt64
        let time: Int64
        var start: Int64 = 0
    }

    struct TimeSeries: Hashable {
        var labels: [[String]]
        var samples: [Sample]
        var type = 0
        var help = ""
        var unit = ""
        var created: Int64 = 0

        /// `name{label="value",…}`.
        var text: String {
            let name = labels.first { $0[0] == "__name__" }?[1] ?? ""
            let rest = labels.filter { $0[0] != "__name__" }.map { "\($0[0])=\"\($0[1])\"" }
            return "\(name){\(rest.joined(separator: ","))}"
        }
    }

    var series: [TimeSeries] = []
    var metadata: [[String]] = []

    /// The request in 1.0.
    init(one bytes: [UInt8]) throws {
        for field in try ProtobufReader.fields(bytes) {
            switch field.number {
            case 1:
                var series = TimeSeries(labels: [], samples: [])
                for part in try field.message {
                    if part.number == 1 { series.labels.append(try part.message.map(\.text)) }
                    if part.number == 2 { series.samples.append(try Self.sample(part)) }
                }
                self.series.append(series)
            case 3:
                let parts = try field.message
                metadata.append([String(parts[0].integer ?? 0)] + parts.dropFirst().map(\.text))
            default: throw ProtobufReader.Malformed()
            }
        }
    }

    /// The request in 2.0.
    init(two bytes: [UInt8]) throws {
        let fields = try ProtobufReader.fields(bytes)
        let symbols = fields.filter { $0.number == 4 }.map(\.text)
        guard symbols.first == "", Set(symbols).count == symbols.count else { throw ProtobufReader.Malformed() }
        for field in fields where field.number == 5 {
            var series = TimeSeries(labels: [], samples: [])
            for part in try field.message {
                switch part.number {
                case 1:
                    guard case .bytes(let packed) = part.value else { throw ProtobufReader.Malformed() }
                    let texts = try ProtobufReader.varints(packed).map { symbols[$0] }
                    series.labels = stride(from: 0, to: texts.count, by: 2).map { [texts[$0], texts[$0 + 1]] }
                case 2: series.samples.append(try Self.sample(part))
                case 5:
                    for item in try part.message {
                        let value = Int(item.integer ?? 0)
                        if item.number == 1 { series.type = value }
                        if item.number == 3 { series.help = symbols[value] }
                        if item.number == 4 { series.unit = symbols[value] }
                    }
                case 6: series.created = part.integer ?? 0
                default: throw ProtobufReader.Malformed()
                }
            }
            self.series.append(series)
        }
    }

    private static func sample(_ field: ProtobufReader.Field) throws -> Sample {
        let parts = try field.message
        return Sample(
            value: parts.first { $0.number == 1 }?.double ?? 0, time: parts.first { $0.number == 2 }?.integer ?? 0,
            start: parts.first { $0.number == 3 }?.integer ?? 0)
    }
}
