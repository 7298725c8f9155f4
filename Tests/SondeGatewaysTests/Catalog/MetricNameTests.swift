import SondeDomain
import SondeEngine
import SondeFormats
import SondePluginKit
import Testing

@testable import DNSLogPlugin
@testable import DropsPlugin
@testable import PcapPlugin
@testable import ProcNetPlugin

/// What the names of all metrics have in common, those of the agent itself included; dashboards hold on to them.
@Suite struct MetricNameTests {
    private static let catalogs = [
        ProcNetSource.descriptor.metrics, PcapSource.descriptor.metrics, DNSLogSource.descriptor.metrics,
        DropsSource.descriptor.metrics,
        AgentCatalog.metrics,
    ]
    private static let all = catalogs.flatMap(\.self)
    /// The units that nothing has to be turned into.
    private static let baseUnits: Set = ["", "1", "s", "By", "By/s", "dBm"]

    private static func last(_ metric: MetricDefinition) -> Substring { metric.name.split(separator: ".").last ?? "" }

    @Test func aNameIsOfOneSourceAndThereOnce() {
        let counts = Dictionary(grouping: Self.all, by: \.name).mapValues(\.count)
        #expect(counts.filter { $0.value > 1 }.keys.sorted() == [])
        #expect(Self.all.count > 500)
    }

    @Test func namesAreWordsBehindDotsAndBelongToUsOrToTheConvention() {
        for metric in Self.all {
            let isPlain = metric.name.utf8.allSatisfy {
                (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5f || $0 == 0x2e
            }
            let hasPrefix = metric.name.hasPrefix("sonde.") || metric.name.hasPrefix("system.network.")
            #expect(isPlain && hasPrefix && !metric.name.contains(".."), "\(metric.name)")
        }
    }

    /// The agent says of itself `sonde.agent.…`, `sonde.source.…` and `sonde.sink.…`, whichever plugin it is about.
    @Test func noNameHasThatOfItsPlugin() {
        for metric in Self.all {
            let words = metric.name.split(separator: ".")
            #expect(words.allSatisfy { !["procnet", "pcap", "dnslog"].contains($0) }, "\(metric.name)")
        }
    }

    @Test func unitsAreBaseUnitsOrThings() {
        for metric in Self.all {
            let isThing = metric.unit.hasPrefix("{") && metric.unit.hasSuffix("}")
            #expect(isThing || Self.baseUnits.contains(metric.unit), "\(metric.name): \(metric.unit)")
        }
    }

    @Test func aUnitFitsTheKind() {
        for metric in Self.all {
            switch metric.kind {
            case .counter:
                #expect(metric.unit == "s" || metric.unit == "By" || metric.unit.hasPrefix("{"), "\(metric.name)")
            case .info: #expect(metric.unit == "", "\(metric.name)")
            case .histogram: #expect(metric.unit == "s" || metric.unit == "By", "\(metric.name)")
            case .gauge, .upDown: break
            }
            // Prometheus calls a gauge of this unit a ratio: a flag is none.
            if metric.unit == "1" { #expect(Self.last(metric) == "utilization", "\(metric.name)") }
        }
    }

    /// A query makes rates and shares of counters, over any time and any sum; a rate that was made here can only be looked at.
    @Test func nothingIsToldThatAQueryMakesOfCounters() {
        for metric in Self.all {
            let last = Self.last(metric)
            #expect(last != "rate" && last != "ratio" && !last.hasSuffix("_ratio"), "\(metric.name)")
            #expect(!["total", "seconds", "bytes"].contains(last), "\(metric.name): the unit is no part of the name")
        }
    }

    /// `_count` is the end of a histogram's series; the convention alone may use it for what goes up and down.
    @Test func whatGoesUpAndDownIsNoCount() {
        for metric in Self.all where metric.kind == .gauge || metric.kind == .upDown {
            #expect(Self.last(metric) != "count" || metric.name.hasPrefix("system."), "\(metric.name)")
        }
    }

    /// A gauge of what there was in one interval reads like a counter unless it says so.
    @Test func listsOfTheHeaviestSayThatTheyAreOfAnInterval() {
        let top = Self.all.filter { $0.name.contains(".top.") }
        #expect(top.count == 9)
        #expect(top.allSatisfy { $0.name.contains(".interval.") && $0.kind == .gauge })
    }

    @Test func anInterfaceIsCalledTheSameEverywhere() {
        for metric in Self.all {
            #expect(!metric.attributes.contains("system.device"), "\(metric.name)")
            #expect(Set(metric.attributes).count == metric.attributes.count, "\(metric.name)")
        }
    }

    /// Also not the series that a histogram is made of.
    @Test func noTwoNamesAreOneInPrometheus() throws {
        var taken: [String: String] = [:]
        for metric in Self.all {
            let name = try #require(PrometheusName(metric.name, kind: metric.kind, unit: metric.unit)?.family)
            let series = metric.kind == .histogram ? ["_bucket", "_count", "_sum"].map { name + $0 } : []
            for family in [name] + series {
                #expect(taken[family] == nil, "\(metric.name) and \(taken[family] ?? ""): \(family)")
                taken[family] = metric.name
            }
        }
    }

    @Test func noTwoAttributesAreOneInPrometheus() {
        let attributes = Set(Self.all.flatMap(\.attributes))
        let labels = Set(attributes.map { $0.map { $0.isLetter || $0.isNumber ? $0 : "_" } })
        #expect(labels.count == attributes.count)
    }
}
