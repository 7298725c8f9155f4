import SondeFormats
import Testing

extension ExportRequest {
    /// The request in OTLP's JSON: every member is one that is known, and has the type that the mapping gives it.
    init(json bytes: [UInt8]) throws {
        let resources = try Self.elements(try JSONReader.parse(bytes), "resourceMetrics", among: ["resourceMetrics"])
        guard resources.count == 1 else { throw ProtobufReader.Malformed() }
        let names: Set = ["resource", "scopeMetrics"]
        resource = try Self.attributes(try #require(resources[0]["resource"]), among: ["attributes"])
        scopes = try Self.elements(resources[0], "scopeMetrics", among: names).map(Self.scope)
    }

    private static func scope(_ json: JSONValue) throws -> Scope {
        let names: Set = ["scope", "metrics"]
        let scope = try #require(json["scope"])
        try check(scope, ["name", "version"])
        return Scope(
            name: try text(scope, "name"), version: try text(scope, "version"),
            metrics: try elements(json, "metrics", among: names).map(metric))
    }

    private static func metric(_ json: JSONValue) throws -> Metric {
        try check(json, ["name", "description", "unit", "gauge", "sum", "histogram"])
        var metric = Metric(
            name: try text(json, "name"), description: try text(json, "description"), unit: try text(json, "unit"))
        let kinds: [(String, Int)] = [("gauge", 5), ("sum", 7), ("histogram", 9)]
        let (kind, number) = try #require(kinds.first { json[$0.0] != nil })
        let data = try #require(json[kind])
        metric.field = number
        metric.temporality = data["aggregationTemporality"]?.asInt64 ?? 0
        metric.isMonotonic = data["isMonotonic"]?.asBool ?? false
        let names: Set = ["dataPoints", "aggregationTemporality", "isMonotonic"]
        metric.points = try elements(data, "dataPoints", among: names).map { try point($0, isHistogram: number == 9) }
        return metric
    }

    private static func point(_ json: JSONValue, isHistogram: Bool) throws -> Point {
        let common: Set = ["startTimeUnixNano", "timeUnixNano", "attributes", "flags"]
        let names: Set =
            isHistogram ? ["count", "sum", "bucketCounts", "explicitBounds"] : ["asInt", "asDouble"]
        var point = Point(
            time: try unsigned(json["timeUnixNano"]) ?? 0, start: try unsigned(json["startTimeUnixNano"]) ?? 0)
        point.attributes = try attributes(json, among: common.union(names))
        point.flags = json["flags"]?.asUInt64 ?? 0
        point.integer = try json["asInt"].map { try #require($0.asString.flatMap { Int64($0) }) }
        point.double = try json["asDouble"].map { try #require($0.asDouble) }
        point.count = try unsigned(json["count"])
        point.sum = try json["sum"].map { try #require($0.asDouble) }
        point.counts = try (json["bucketCounts"]?.asArray ?? []).map { try #require(try unsigned($0)) }
        point.bounds = try (json["explicitBounds"]?.asArray ?? []).map { try #require($0.asDouble) }
        return point
    }

    private static func attributes(_ json: JSONValue, among names: Set<String>) throws -> [[String]] {
        try elements(json, "attributes", among: names).map { attribute in
            try check(attribute, ["key", "value"])
            let value = try #require(attribute["value"])
            try check(value, ["stringValue"])
            return [try text(attribute, "key"), try text(value, "stringValue")]
        }
    }

    private static func unsigned(_ json: JSONValue?) throws -> UInt64? {
        try json.map { try #require($0.asString.flatMap { UInt64($0) }) }
    }

    private static func text(_ json: JSONValue, _ name: String) throws -> String {
        guard let member = json[name] else { return "" }
        return try #require(member.asString)
    }

    private static func elements(_ json: JSONValue, _ name: String, among names: Set<String>) throws -> [JSONValue] {
        try check(json, names)
        return json[name]?.asArray ?? []
    }

    /// No other member, and none twice.
    private static func check(_ json: JSONValue, _ names: Set<String>) throws {
        let keys = try #require(json.asObject).map(\.key)
        guard Set(keys).count == keys.count, names.isSuperset(of: keys) else { throw ProtobufReader.Malformed() }
    }
}
