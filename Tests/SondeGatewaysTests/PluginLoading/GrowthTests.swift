import Foundation
import SondeDomain
import SondeEngine
import SondePluginKit
import SondeTestKit
import Testing

@testable import SondeGateways

/// Binaries that were built with other versions of the contract (Fixtures/Growth/make.sh): structs that are shorter than
/// the host's, and structs that are longer.
#if arch(x86_64)
    struct GrowthTests {
        static let versions = ["1.0", "1.9"]

        private func catalog(_ version: String, _ workshop: PluginWorkshop) throws -> DirectoryPluginCatalog {
            for name in ["grown_source.so", "grown_sink.so"] {
                try FileManager.default.copyItem(
                    atPath: "\(PluginWorkshop.fixtures)/Growth/\(version)/\(name)", toPath: workshop.path(name))
                chmod(workshop.path(name), 0o755)
            }
            return workshop.catalog()
        }

        @Test(arguments: versions) func aSourceOfAnotherVersionHandsOverEverything(_ version: String) throws {
            let workshop = try PluginWorkshop()
            let services = RecordingServices()
            let source = try catalog(version, workshop).plugin(named: "grown_source")
                .makeSource(id: "under test", options: OptionValues(), services: services)
            #expect(try source.collect(.test()) == .completed)
            source.close()
            #expect(
                services.series == [
                    SeriesSpecification(
                        name: "grown.count", kind: .counter, unit: "By",
                        attributes: [Attribute("first", "a"), Attribute("second", "b")], counterBits: 64),
                    SeriesSpecification(name: "grown.spread", kind: .histogram, unit: ""),
                ])
            let histogram = try #require(HistogramValue(bounds: [1, 2], counts: [3, 4, 5], sum: 20.5))
            #expect(services.commits.first?.samples.map(\.value) == [.unsigned(41), .histogram(histogram)])
            #expect(services.commits.first?.checkpoint == Array("here".utf8))
            #expect(services.commits.first?.rejections == [])
            #expect(services.losses.map(\.reason) == ["dropped"])
            #expect(services.lines.isEmpty)
        }

        @Test(arguments: versions) func aSinkOfAnotherVersionIsGivenEverything(_ version: String) throws {
            let workshop = try PluginWorkshop()
            let services = RecordingServices()
            let plugin = try catalog(version, workshop).plugin(named: "grown_sink")
            #expect(plugin.descriptor.ends)
            let sink = try plugin.makeSink(id: "out", options: OptionValues(), services: services)
            let outcome = try sink.deliver(batch(), .test(isFinal: true))
            sink.close()
            #expect(outcome == .delivered(rejectedPoints: 1, reason: ""))
            #expect(
                services.lines == [
                    "info: central of web-1 2.0, final", "info: label rack=7", "info: label site=fra1",
                    "info: grown.count from kernel first=a second=b 5", "info: grown.spread from kernel n=3",
                    "info: grown.count from kernel first=a second=b ended", "info: document sonde.snapshot/1",
                ])
        }

        private func batch() throws -> Batch {
            let count = Series(
                id: SeriesID(rawValue: 1), source: "kernel", name: "grown.count", kind: .counter, unit: "By",
                attributes: [Attribute("first", "a"), Attribute("second", "b")])
            let spread = Series(
                id: SeriesID(rawValue: 2), source: "kernel", name: "grown.spread", kind: .histogram, unit: "s")
            let histogram = try #require(HistogramValue(bounds: [1], counts: [1, 2], sum: nil))
            let values: [(Int, SampleValue)] = [(0, .unsigned(5)), (1, .histogram(histogram)), (0, .ended)]
            return Batch(
                identity: BatchIdentity(agent: "agent", epoch: "epoch", first: 1, last: 4),
                sink: "central",
                resource: Resource(
                    host: "web-1", agentVersion: "2.0",
                    labels: [Attribute("site", "fra1"), Attribute("rack", "7")]),
                series: [count, spread],
                entries: values.map { index, value in
                    Batch.Entry(
                        seriesIndex: index,
                        point: MetricPoint(
                            series: SeriesID(rawValue: UInt64(index) + 1), time: Timestamp(seconds: 1), value: value))
                },
                documents: [Document(schema: "sonde.snapshot/1", time: Timestamp(seconds: 1), json: Array("{}".utf8))]
            )
        }
    }
#endif
