public import SondeDomain

extension SampleSheet {
    /// The attribute that only the series of what is left beside the heaviest keys has, with the value `other`.
    public static let topRest = "sonde.top"

    /// Adds the heaviest `limit` keys of an interval, and what is left beside them, so that the sum over the series is
    /// what there was.
    ///
    /// Keys with the same attributes are added up: where there are such, `lookedAt` of the kept ones are needed for it. One
    /// without attributes counts in the rest. Nothing is added when `limit` is not positive.
    public func addTop(
        _ ranking: borrowing SpaceSaving,
        _ metric: MetricDefinition,
        limit: Int,
        lookedAt: Int,
        common: [Attribute] = [],
        _ attributes: ([UInt8]) -> [Attribute]?
    ) {
        guard limit > 0 else { return }
        let keys = ranking.top(lookedAt)
        var known: [String: (count: UInt64, attributes: [Attribute])] = [:]
        for entry in keys.entries {
            guard let attributes = attributes(entry.key) else { continue }
            known[Self.name(common + attributes), default: (0, common + attributes)].count &+= entry.count
        }
        var rest = keys.total
        let heaviest = known.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.prefix(limit)
        for (name, value) in heaviest {
            addPassing(metric, value.count, name: name, value.attributes)
            rest = rest < value.count ? 0 : rest &- value.count
        }
        add(metric, .unsigned(rest), name: Self.name(common), common + [Attribute(Self.topRest, "other")])
    }

    private static func name(_ attributes: [Attribute]) -> String {
        attributes.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
    }
}
