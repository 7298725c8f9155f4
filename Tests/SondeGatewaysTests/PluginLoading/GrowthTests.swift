import Foundation
import SondeDomain
import SondeEngine
import SondePluginKit
import SondeTestKit
import Synchronization
import Testing

@testable import SondeGateways

/// Binaries that were built with other versions of the contract (Fixtures/Growth/make.sh): structs that are shorter than
/// the host's, and structs that are longer; in the agent's process, and in one of their own.
///
/// The objects are for x86-64: elsewhere ``otherMachinesHaveNoObjects()`` says that nothing of this was tested.
#if arch(x86_64)
    @Suite struct GrowthTests {
        struct Case: CustomTestStringConvertible, Sendable {
            let version: String
            let isolation: Isolation
            var testDescription: String { "\(version) \(isolation)" }
            /// Whether its header has what came with 1.1, which this host has as well.
            var isSecond: Bool { version != "1.0" }
        }

        static let cases = ["1.0", "1.1", "1.9"].flatMap { version in
            [Isolation.inProcess, .process].map { Case(version: version, isolation: $0) }
        }

        private func catalog(_ version: String, _ workshop: PluginWorkshop) throws -> DirectoryPluginCatalog {
            for name in ["grown_source.so", "grown_sink.so"] {
                try FileManager.default.copyItem(
                    atPath: "\(PluginWorkshop.fixtures)/Growth/\(version)/\(name)", toPath: workshop.path(name))
                chmod(workshop.path(name), 0o755)
            }
            return workshop.catalog()
        }

        @Test(arguments: cases) func aSourceOfAnotherVersionHandsOverEverything(_ object: Case) throws {
            let workshop = try PluginWorkshop()
            let services = RecordingServices()
            let source = try catalog(object.version, workshop).plugin(
                named: "grown_source", isolation: object.isolation
            )
            .makeSource(id: "under test", options: OptionValues(), services: services)
            #expect(try source.collect(.test()) == .completed)
            source.close()
            #expect(
                services.series == [
                    SeriesSpecification(
                        name: "grown.count", kind: .counter, unit: "By",
                        attributes: [Attribute("first", "a"), Attribute("second", "b")], counterBits: 64,
                        meaning: object.isSecond ? "Counted." : ""),
                    SeriesSpecification(name: "grown.spread", kind: .histogram, unit: ""),
                ])
            let histogram = try #require(HistogramValue(bounds: [1, 2], counts: [3, 4, 5], sum: 20.5))
            #expect(services.commits.first?.samples.map(\.value) == [.unsigned(41), .histogram(histogram)])
            #expect(services.commits.first?.checkpoint == Array("here".utf8))
            #expect(services.commits.first?.rejections == [])
            #expect(services.losses.map(\.reason) == ["dropped"])
            // A trouble that was reported and not cleared, and nothing of what only a later host would have.
            let troubles = services.state.withLock { $0.troubles }
            #expect(troubles.map(\.code.text) == (object.isSecond ? ["ACME-G002"] : []))
            #expect(services.lines.isEmpty, "\(services.lines)")
        }

        @Test(arguments: cases) func aSinkOfAnotherVersionIsGivenEverything(_ object: Case) throws {
            let workshop = try PluginWorkshop()
            let services = RecordingServices()
            let plugin = try catalog(object.version, workshop).plugin(named: "grown_sink", isolation: object.isolation)
            #expect(plugin.descriptor.ends)
            let sink = try plugin.makeSink(id: "out", options: OptionValues(), services: services)
            let outcome = try sink.deliver(batch(), .test(isFinal: true))
            sink.close()
            // What it counts, and what it names.
            #expect(outcome == .delivered(rejectedPoints: object.isSecond ? 2 : 1, reason: ""))
            let meaning = { (name: String) in object.isSecond ? " (meaning of \(name))" : "" }
            #expect(
                services.lines == [
                    "info: central of web-1 2.0, final", "info: label rack=7", "info: label site=fra1",
                    "info: grown.count from kernel first=a second=b 5\(meaning("grown.count"))",
                    "info: grown.spread from kernel n=3\(meaning("grown.spread"))",
                    "info: grown.count from kernel first=a second=b ended\(meaning("grown.count"))",
                    "info: document sonde.snapshot/1",
                ])
            let rejected = services.state.withLock { $0.rejected }
            #expect(rejected == (object.isSecond ? ["grown.count: too_old"] : []))
        }

        @Test(arguments: [Isolation.inProcess, .process])
        func anObjectOfAnotherMajorVersionIsRefused(_ isolation: Isolation) throws {
            let workshop = try PluginWorkshop()
            let catalog = try catalog("2.0", workshop)
            for name in ["grown_source", "grown_sink"] {
                let error = try #require(
                    #expect(throws: SondeError.self) { try catalog.plugin(named: name, isolation: isolation) })
                #expect(error.code.text == "SND-PLG011", "\(error)")
                #expect(error.message.contains("version 2 of the plugin contract"), "\(error.message)")
            }
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
#else
    @Suite struct GrowthTests {
        @Test(.disabled("the objects of Fixtures/Growth are for x86-64")) func otherMachinesHaveNoObjects() {}
    }
#endif
