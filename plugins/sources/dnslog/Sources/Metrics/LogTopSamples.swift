internal import SondeDomain
internal import SondePluginKit
internal import SondeWire

/// Makes samples of the names and clients that had most, as far as privacy allows it.
struct LogTopSamples {
    private let limit: Int
    private let privacy: NamePrivacy

    init(limit: Int, privacy: NamePrivacy) {
        self.limit = limit
        self.privacy = privacy
    }

    /// Adds the heaviest names, clients and failing names of one format.
    func add(_ analysis: borrowing LogAnalysis, to sheet: SampleSheet) {
        guard limit > 0, privacy != .none else { return }
        let resolver = Attribute(LogMetrics.resolver, analysis.format.rawValue)
        let name: ([UInt8]) -> Attribute? = { Attribute("sonde.dns.name", privacy.text(folded: $0)) }
        add(analysis.totals.names, LogTopMetrics.names, resolver, to: sheet, name)
        add(analysis.totals.clients, LogTopMetrics.clients, resolver, to: sheet) { Self.client($0, privacy) }
        add(analysis.totals.failingNames, LogTopMetrics.failingNames, resolver, to: sheet, name)
        add(analysis.totals.distinctNames, LogTopMetrics.distinctNames, resolver, to: sheet)
        add(analysis.totals.distinctClients, LogTopMetrics.distinctClients, resolver, to: sheet)
    }

    private func add(
        _ count: borrowing DistinctCount, _ metric: MetricDefinition, _ resolver: Attribute, to sheet: SampleSheet
    ) {
        sheet.add(metric, .unsigned(count.estimate), name: resolver.value, [resolver])
    }

    private func add(
        _ ranking: borrowing SpaceSaving,
        _ metric: MetricDefinition,
        _ resolver: Attribute,
        to sheet: SampleSheet,
        _ attribute: ([UInt8]) -> Attribute?
    ) {
        guard ranking.total > 0 else { return }
        let keys = ranking.top(limit)
        var rest = keys.total
        for entry in keys.entries {
            guard let attribute = attribute(entry.key) else { continue }
            sheet.addPassing(metric, entry.count, name: "\(resolver.value) \(attribute.value)", [resolver, attribute])
            rest = rest < entry.count ? 0 : rest &- entry.count
        }
        let attributes = [resolver, Attribute(LogTopMetrics.rest, "other")]
        sheet.add(metric, .unsigned(rest), name: "\(resolver.value) \(LogTopMetrics.rest)", attributes)
    }

    private static func client(_ key: [UInt8], _ privacy: NamePrivacy) -> Attribute? {
        guard key.count == 16 else { return nil }
        let number: (ArraySlice<UInt8>) -> UInt64 = { bytes in bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        let address = IPAddress(high: number(key.prefix(8)), low: number(key.dropFirst(8)))
        return privacy.text(client: address).map { Attribute("client.address", $0) }
    }
}
