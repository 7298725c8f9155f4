import SondeDomain
import SondeEngine
import Testing

@testable import DNSLogPlugin
@testable import PcapPlugin
@testable import ProcNetPlugin

/// What sources describe, and what history is made of.
@Suite struct HistoryCatalogPluginTests {
    private static let described =
        ProcNetSource.descriptor.metrics + PcapSource.descriptor.metrics + DNSLogSource.descriptor.metrics
        + AgentCatalog.metrics

    /// What a metric contributes that has all of its attributes.
    private static func contributions(of metric: MetricDefinition) -> [HistoryContribution] {
        let values = ["network.io.direction": "receive", "network.transport": "tcp"]
        let attributes = metric.attributes.map { Attribute($0, values[$0] ?? "server") }
        return HistoryCatalog.contributions(
            of: Series(
                id: SeriesID(rawValue: 1), source: "s", name: metric.name, kind: metric.kind, unit: metric.unit,
                attributes: attributes))
    }

    @Test func theMetricsOfHistoryAreThoseThatSourcesDescribe() {
        let names = Self.described.filter { !Self.contributions(of: $0).isEmpty }.map(\.name)
        #expect(
            Set(names) == [
                "system.network.io", "sonde.network.interface.rate.peak", "sonde.network.host.io",
                "sonde.network.host.rate.peak", "system.network.connections", "sonde.tcp.socket.orphan",
                "sonde.kernel.sockstat.tcp.inuse",
                "sonde.kernel.sockstat.tcp6.inuse", "sonde.kernel.sockstat.udp.inuse",
                "sonde.kernel.sockstat.udp6.inuse", "sonde.kernel.sockstat.raw.inuse",
                "sonde.kernel.sockstat.raw6.inuse", "sonde.dns.wire.query.count", "sonde.dns.wire.response.count",
                "sonde.dns.wire.query.unanswered", "sonde.dns.wire.response.duration", "sonde.dns.resolver.query.count",
                "sonde.dns.resolver.response.count", "sonde.dns.resolver.failure.count",
                "sonde.dns.resolver.query.unanswered", "sonde.dns.resolver.response.duration",
                "sonde.agent.memory.usage", "sonde.agent.cpu.time", "sonde.source.sample.count",
                "sonde.sink.queue.point",
            ])
    }

    /// A metric of kind info is 1 always, and one that says a state by a number has no spread: history keeps neither.
    @Test func whatIsKeptIsAQuantityThatFitsItsPart() {
        for metric in Self.described {
            for contribution in Self.contributions(of: metric) {
                #expect(!metric.name.hasSuffix(".state"))
                switch contribution.part {
                case .rate: #expect(metric.kind == .counter, "\(metric.name)")
                case .durations: #expect(metric.kind == .histogram, "\(metric.name)")
                case .value, .peak: #expect([.gauge, .upDown].contains(metric.kind), "\(metric.name)")
                }
            }
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
