import SondeDomain
import SondeEngine
import Testing

@testable import DNSLogPlugin
@testable import PcapPlugin
@testable import ProcNetPlugin

/// The catalog of history and the catalogs of the sources are two lists of the same names.
@Suite struct HistoryCatalogPluginTests {
    private static let described =
        ProcNetSource.descriptor.metrics + PcapSource.descriptor.metrics + DNSLogSource.descriptor.metrics
        + AgentCatalog.metrics
    /// Named by OpenTelemetry, and told by a walk of the sockets.
    private static let mayBeMissing: Set = ["system.network.connections"]

    @Test(arguments: HistoryCatalog.inputs)
    func everyMetricThatHistoryIsMadeOfIsDescribedBySomeSource(input: HistoryCatalog.Input) {
        let found = Self.described.filter { $0.name == input.name }
        #expect(!found.isEmpty || Self.mayBeMissing.contains(input.name))
        for metric in found {
            #expect(input.kinds.contains(metric.kind), "\(metric.name) is a \(metric.kind.name)")
            #expect(Set(input.attributes).isSubset(of: metric.attributes), "\(metric.name) of \(metric.attributes)")
        }
    }

    @Test func noMetricContributesThatIsNoInput() {
        let inputs = Set(HistoryCatalog.inputs.map(\.name))
        for metric in Self.described {
            let series = Series(
                id: SeriesID(rawValue: 1), source: "s", name: metric.name, kind: metric.kind, unit: metric.unit,
                attributes: metric.attributes.map { Attribute($0, $0 == "network.io.direction" ? "receive" : "server") }
            )
            let contributions = HistoryCatalog.contributions(of: series)
            #expect(contributions.isEmpty || inputs.contains(metric.name), "\(metric.name)")
        }
    }

    @Test func thePeaksOfUplinksAndInterfacesAreTakenAsPeaks() throws {
        let parts = ["sonde.network.host.rate.peak", "sonde.network.interface.rate.peak"].map { name in
            HistoryCatalog.contributions(
                of: Series(
                    id: SeriesID(rawValue: 1), source: "s", name: name, kind: .gauge, unit: "By/s",
                    attributes: [
                        Attribute("network.interface.name", "eth0"), Attribute("network.io.direction", "receive"),
                    ]))
        }
        #expect(parts.map { $0.map(\.part) } == [[.peak], [.peak]])
        #expect(parts.map { $0.map(\.series.member) } == [[nil], ["eth0"]])
    }
}
