import Foundation
import SondeDomain
import SondeEngine
import SondeGateways
import SondeTestKit
import Testing

@testable import DNSLogPlugin
@testable import DropsPlugin
@testable import FilePlugin
@testable import HTTPPlugin
@testable import KafkaPlugin
@testable import PcapPlugin
@testable import ProcNetPlugin
@testable import ScrapePlugin
@testable import StdoutPlugin

/// The files in `config/` and the page that explains them say what the code does.
@Suite struct ShippedConfigurationTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The plugins as they describe themselves.
    private static func catalog() throws -> FakePluginCatalog {
        let programs = ExecCatalog(programs: ChildPrograms(supervisor: "", child: ""))
        let exec = try programs.plugins(named: "exec").map(\.descriptor)
        return FakePluginCatalog(
            exec + [
                ProcNetSource.descriptor, PcapSource.descriptor, DNSLogSource.descriptor, DropsSource.descriptor,
                StdoutSink.descriptor, FileSink.descriptor, HTTPSink.descriptor, KafkaSink.descriptor,
                ScrapeSink.descriptor,
            ])
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    private func load(_ text: String) throws -> LoadedConfiguration {
        ConfigurationFixture(
            catalog: try Self.catalog(),
            others: [
                "/etc/sonde/token": "t", "/etc/sonde/password": "p", "/etc/sonde/client-secret": "c",
                "/etc/sonde/scrape-token": "t", "/etc/sonde/scrape-password": "p",
            ]
        )
        .load(text)
    }

    /// The reference with every setting that is commented out switched on.
    private func everySetting() throws -> String {
        let lines = try text("config/sonde.yaml").split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { line in
            let indent = line.prefix { $0 == " " }
            let rest = line.dropFirst(indent.count)
            guard rest.first == "#", let next = rest.dropFirst().first, next != " " else { return String(line) }
            return String(indent + rest.dropFirst())
        }.joined(separator: "\n")
    }

    @Test(arguments: [
        "sonde.yaml", "examples/minimal.yaml", "examples/exec.yaml", "examples/file.yaml", "examples/http.yaml",
        "examples/all.yaml",
        "examples/hosted.yaml", "examples/influxdb1.yaml", "examples/influxdb2.yaml", "examples/kafka.yaml",
        "examples/mimir.yaml",
        "examples/otel-collector.yaml", "examples/prometheus.yaml", "examples/scrape.yaml",
        "examples/victoriametrics.yaml",
    ])
    func shippedFileHasNoProblem(_ name: String) throws {
        #expect(try load(text("config/\(name)")).problems == [])
    }

    @Test func everyExampleIsTested() throws {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: Self.root.appending(path: "config/examples").path)
        #expect(
            names.sorted() == [
                "all.yaml", "exec.yaml", "file.yaml", "hosted.yaml", "http.yaml", "influxdb1.yaml", "influxdb2.yaml",
                "kafka.yaml", "mimir.yaml",
                "minimal.yaml", "otel-collector.yaml", "prometheus.yaml", "scrape.yaml", "victoriametrics.yaml",
            ])
    }

    @Test func referenceWithEverySettingOnHasNoProblem() throws {
        let loaded = try load(try everySetting())
        #expect(loaded.problems == [])
        #expect(loaded.configuration?.sources.map(\.id) == ["kernel", "wire", "why", "resolver"])
        #expect(loaded.configuration?.sinks.map(\.id) == ["console", "disk", "scrape", "central"])
    }

    @Test func referenceSetsEveryKey() throws {
        let configuration = try #require(try load(everySetting()).configuration)
        let agent = Set(configuration.agent.marks.keys)
        #expect(ConfigurationSchema.agent.map(\.key).filter { !agent.contains($0) } == [])
        let source = Set(configuration.sources[0].marks.keys)
        #expect(ConfigurationSchema.source.map(\.key).filter { !source.contains($0) } == [])
        let sink = Set(configuration.sinks[3].marks.keys)
        #expect(ConfigurationSchema.sink.map(\.key).filter { !sink.contains($0) } == [])
        let components =
            configuration.sources.map { ($0.plugin, $0.options) } + configuration.sinks.map { ($0.plugin, $0.options) }
        for component in components {
            let options = try Self.catalog().plugin(named: component.0).descriptor.options
            #expect(options.map(\.key).filter { component.1.marks[$0] == nil } == [], "\(component.0)")
        }
    }

    @Test func referenceShowsTheDefaults() throws {
        let agent = try #require(try load(text("config/sonde.yaml")).configuration).agent
        let defaults = AgentSettings()
        #expect(agent.interval == defaults.interval)
        #expect(agent.shutdownGrace == defaults.shutdownGrace)
        #expect(agent.logLevel == defaults.logLevel)
        #expect(agent.logFormat == defaults.logFormat)
        #expect(agent.spoolMaxAge == defaults.spoolMaxAge)
        #expect(agent.spoolSync == defaults.spoolSync)
        #expect(agent.overflow == defaults.overflow)
    }

    @Test func pageNamesEveryKeyWithItsDefault() throws {
        let page = try text("docs/configuration.md")
        let definitions =
            ConfigurationSchema.agent + ConfigurationSchema.identity + ConfigurationSchema.source
            + ConfigurationSchema.sink
        for definition in definitions {
            let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `\(definition.key)` |") }
            #expect(!rows.isEmpty, "\(definition.key)")
            guard let text = definition.defaultText else { continue }
            #expect(rows.contains { $0.contains("| `\(text)` |") }, "\(definition.key)")
        }
    }
}
