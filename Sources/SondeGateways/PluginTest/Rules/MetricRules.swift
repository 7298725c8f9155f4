internal import SondeDomain
internal import SondeFormats

/// How metrics are named: docs/decisions/0046-names-of-metrics.md.
enum MetricRules {
    private static let baseUnits: Set = ["", "1", "s", "By", "By/s", "Cel", "V", "A", "W", "J", "Hz", "dBm", "m"]
    private static let unitWords: Set = ["total", "seconds", "milliseconds", "bytes", "percent"]

    static func names(_ metrics: [MetricDefinition]) throws(RuleEnd) {
        var taken: [String: String] = [:]
        for metric in metrics {
            try checkForm(metric)
            let last = lastWord(metric)
            guard !unitWords.contains(last) else {
                throw .failed("\(metric.name) ends in '\(last)', which its unit or its kind says")
            }
            let goesBoth = metric.kind == .gauge || metric.kind == .upDown
            guard last != "count" || !goesBoth || metric.name.hasPrefix("system.") else {
                throw .failed("\(metric.name) is a \(metric.kind.name) and reads like a part of a histogram")
            }
            guard let name = PrometheusName(metric.name, kind: metric.kind, unit: metric.unit)?.family else {
                throw .failed("\(metric.name) has no name in Prometheus")
            }
            let series = metric.kind == .histogram ? ["_bucket", "_count", "_sum"].map { name + $0 } : []
            for family in [name] + series {
                if let other = taken.updateValue(metric.name, forKey: family) {
                    throw .failed("\(metric.name) and \(other) are both \(family) in Prometheus")
                }
            }
        }
    }

    private static func checkForm(_ metric: MetricDefinition) throws(RuleEnd) {
        let words = metric.name.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        let areWords = words.allSatisfy { word in
            guard let first = word.first, (0x61...0x7A).contains(first) else { return false }
            return word.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
        }
        guard words.count > 1, areWords else {
            throw .failed("'\(metric.name)' is not made of two or more words [a-z][a-z0-9_]* joined by dots")
        }
        guard !metric.meaning.isEmpty else { throw .failed("\(metric.name) has no meaning") }
        guard Set(metric.attributes).count == metric.attributes.count else {
            throw .failed("\(metric.name) names an attribute twice")
        }
    }

    static func units(_ metrics: [MetricDefinition]) throws(RuleEnd) {
        for metric in metrics {
            let isThing = metric.unit.hasPrefix("{") && metric.unit.hasSuffix("}") && metric.unit.utf8.count > 2
            guard isThing || baseUnits.contains(metric.unit) else {
                throw .failed("the unit '\(metric.unit)' of \(metric.name) is neither a base unit nor a {thing}")
            }
            switch metric.kind {
            case .info where metric.unit != "":
                throw .failed("\(metric.name) is an info and has the unit '\(metric.unit)'")
            case .counter where metric.unit == "" || metric.unit == "1":
                throw .failed("\(metric.name) counts nothing: a counter has the unit s, By or a {thing}")
            case .histogram where metric.unit == "":
                throw .failed("\(metric.name) is a histogram without a unit")
            default: break
            }
        }
    }

    private static func lastWord(_ metric: MetricDefinition) -> String {
        metric.name.split(separator: ".").last.map(String.init) ?? ""
    }
}
