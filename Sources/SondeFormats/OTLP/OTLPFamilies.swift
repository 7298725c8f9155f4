internal import SondeDomain

/// The metrics and scopes that an encoder has met, each with a number that stays and the beginning of its message.
struct OTLPFamilies {
    /// What distinguishes one `Metric` from another.
    private struct Key: Hashable {
        let source: String
        let name: String
        let kind: MetricKind
        let unit: String
    }

    /// One `Metric`.
    struct Family {
        /// How its values are to be read.
        let kind: MetricKind
        /// The number of its scope.
        let scope: Int
        /// Where its name, description and unit are in the arena.
        let head: Range<Int>
    }

    private var numbers: [Key: Int] = [:]
    private var scopeNumbers: [String: Int] = [:]
    /// By number.
    private(set) var families: [Family] = []
    /// Where `ScopeMetrics.scope` of each scope is in the arena, by number.
    private(set) var scopes: [Range<Int>] = []

    /// The number of a series' family, which is made of the first series that has it.
    mutating func number(of series: Series, version: String, into arena: inout ByteBuffer) -> Int {
        let key = Key(source: series.source, name: series.name, kind: series.kind, unit: series.unit)
        if let number = numbers[key] { return number }
        let scope = scopeNumber(of: series.source, version, into: &arena)
        let start = arena.count
        arena.append(tag: 0x0a, PrometheusSeries.bounded(Self.name(of: series)))
        if !series.meaning.isEmpty { arena.append(tag: 0x12, series.meaning) }
        if !series.unit.isEmpty { arena.append(tag: 0x1a, series.unit) }
        numbers[key] = families.count
        families.append(Family(kind: series.kind, scope: scope, head: start..<arena.count))
        return families.count - 1
    }

    /// Info metrics end in `info`, as at every other receiver: Prometheus' own become such gauges in OpenTelemetry.
    private static func name(of series: Series) -> String {
        let last = series.name.utf8.split { $0 == 0x2e || $0 == 0x5f }.last
        guard series.kind == .info, last?.elementsEqual("info".utf8) != true else { return series.name }
        return series.name + ".info"
    }

    private mutating func scopeNumber(of source: String, _ version: String, into arena: inout ByteBuffer) -> Int {
        if let number = scopeNumbers[source] { return number }
        var scope = ByteBuffer()
        scope.append(tag: 0x0a, "sonde/\(source)")
        if !version.isEmpty { scope.append(tag: 0x12, version) }
        let start = arena.count
        arena.append(tag: 0x0a, scope)
        scopeNumbers[source] = scopes.count
        scopes.append(start..<arena.count)
        return scopes.count - 1
    }
}
