import SondeFormats

/// What a receiver of OTLP reads in `ExportMetricsServiceRequest`.
struct ExportRequest {
    struct Point: Equatable {
        var time: UInt64 = 0
        var start: UInt64 = 0
        var integer: Int64?
        var double: Double?
        var attributes: [[String]] = []
        var flags: UInt64 = 0
        var count: UInt64?
        var sum: Double?
        var counts: [UInt64] = []
        var bounds: [Double] = []
    }

    struct Metric: Equatable {
        var name = ""
        var description = ""
        var unit = ""
        /// The number of the field that has the points.
        var field = 0
        var temporality: Int64 = 0
        var isMonotonic = false
        var points: [Point] = []
    }

    struct Scope: Equatable {
        var name = ""
        var version = ""
        var metrics: [Metric] = []
    }

    var resource: [[String]] = []
    var scopes: [Scope] = []
    var metrics: [Metric] { scopes.flatMap(\.metrics) }
    var points: [Point] { metrics.flatMap(\.points) }

    init(_ bytes: [UInt8]) throws {
        let resources = try ProtobufReader.fields(bytes)
        guard resources.allSatisfy({ $0.number == 1 }), resources.count <= 1 else { throw ProtobufReader.Malformed() }
        for field in try resources.first?.message ?? [] {
            switch field.number {
            case 1: resource = try Self.attributes(try field.message.filter { $0.number == 1 })
            case 2: scopes.append(try Self.scope(field))
            default: throw ProtobufReader.Malformed()
            }
        }
    }

    private static func scope(_ field: ProtobufReader.Field) throws -> Scope {
        var scope = Scope()
        for part in try field.message {
            switch part.number {
            case 1:
                for name in try part.message {
                    if name.number == 1 { scope.name = name.text } else { scope.version = name.text }
                }
            case 2: scope.metrics.append(try metric(part))
            default: throw ProtobufReader.Malformed()
            }
        }
        return scope
    }

    private static func metric(_ field: ProtobufReader.Field) throws -> Metric {
        var metric = Metric()
        for part in try field.message {
            switch part.number {
            case 1: metric.name = part.text
            case 2: metric.description = part.text
            case 3: metric.unit = part.text
            case 5, 7, 9:
                metric.field = part.number
                for item in try part.message {
                    switch item.number {
                    case 1: metric.points.append(try point(item, isHistogram: part.number == 9))
                    case 2: metric.temporality = item.integer ?? 0
                    case 3: metric.isMonotonic = item.integer == 1
                    default: throw ProtobufReader.Malformed()
                    }
                }
            default: throw ProtobufReader.Malformed()
            }
        }
        return metric
    }

    private static func point(_ field: ProtobufReader.Field, isHistogram: Bool) throws -> Point {
        var point = Point()
        let parts = try field.message
        point.attributes = try attributes(parts.filter { $0.number == (isHistogram ? 9 : 7) })
        for part in parts {
            let bits = part.double ?? 0
            switch (part.number, isHistogram) {
            case (2, _): point.start = bits
            case (3, _): point.time = bits
            case (4, false): point.double = Double(bitPattern: bits)
            case (6, false): point.integer = Int64(bitPattern: bits)
            case (4, true): point.count = bits
            case (5, true): point.sum = Double(bitPattern: bits)
            case (6, true): point.counts = try packed(part)
            case (7, true): point.bounds = try packed(part).map { Double(bitPattern: $0) }
            case (8, false), (10, true): point.flags = UInt64(bitPattern: part.integer ?? 0)
            case (7, false), (9, true): break
            default: throw ProtobufReader.Malformed()
            }
        }
        return point
    }

    private static func packed(_ field: ProtobufReader.Field) throws -> [UInt64] {
        guard case .bytes(let bytes) = field.value, bytes.count % 8 == 0 else { throw ProtobufReader.Malformed() }
        return stride(from: 0, to: bytes.count, by: 8).map { start in
            bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    private static func attributes(_ fields: [ProtobufReader.Field]) throws -> [[String]] {
        try fields.map { field in
            let parts = try field.message
            guard parts.map(\.number) == [1, 2], let value = try parts[1].message.first, value.number == 1 else {
                throw ProtobufReader.Malformed()
            }
            return [parts[0].text, value.text]
        }
    }
}
