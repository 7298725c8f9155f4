import Foundation
import SondeDomain
import SondeEngine
import Testing

@testable import SondeGateways

/// Where the options come from that a plugin is tested with.
@Suite struct PluginSampleTests {
    private static let descriptor = PluginDescriptor(
        name: "uptime", kind: .source, version: "1", summary: "S.",
        options: [
            OptionDefinition("path", .string, required: true, help: "H."),
            OptionDefinition("depth", .integer(1...9), default: "3", help: "H."),
        ])

    private static func found(_ files: [String: String]) throws -> [String: OptionValues.Value]? {
        let workshop = try PluginWorkshop()
        _ = try workshop.folder("build/release")
        for (name, text) in files { try text.write(toFile: workshop.path(name), atomically: false, encoding: .utf8) }
        let reading = PluginSample(of: descriptor).find(beside: workshop.path("build/release/libuptime.so"))
        guard case .options(let options) = reading else { return nil }
        return options?.values
    }

    /// The problems of a file, each with its place.
    private static func problems(_ text: String) throws -> [String] {
        let workshop = try PluginWorkshop()
        try text.write(toFile: workshop.path("o.yaml"), atomically: false, encoding: .utf8)
        guard case .unusable(let loaded) = PluginSample(of: descriptor).read(workshop.path("o.yaml")) else { return [] }
        return loaded.problems.map { "\($0.mark.line):\($0.mark.column) \($0.code)" }
    }

    private static let configuration = """
        version: 1
        sources:
          - { id: other, plugin: other, path: /other }
          - { id: up, plugin: uptime, interval: 5s, labels: { a: b }, path: /proc/uptime }
        sinks:
          - { id: console, plugin: stdout }
        """

    @Test func aSampleBesideTheObjectOrAroundItIsRead() throws {
        let wanted: [String: OptionValues.Value] = ["path": .string("/proc/uptime"), "depth": .integer(3)]
        #expect(try Self.found(["build/release/sample.yaml": Self.configuration]) == wanted)
        #expect(try Self.found(["sample.yaml": Self.configuration]) == wanted)
        #expect(try Self.found(["sample.yaml": "path: /proc/uptime\n"]) == wanted)
        let page = "# Uptime\n\n```sh\nmake\n```\n\n```yaml\n\(Self.configuration)\n```\n\n```yaml\nno: more\n```\n"
        #expect(try Self.found(["README.md": page]) == wanted)
    }

    @Test func withoutASampleTheDefaultsDoUnlessAnOptionIsRequired() throws {
        #expect(try Self.found([:]) == nil)
        #expect(try Self.found(["sample.yaml": "sources: [{ id: a, plugin: other }]", "README.md": "Prose."]) == nil)
    }

    @Test(arguments: [
        ("path: /a\ndepth: 10\n", ["2:8 SND-CFG018"]), ("path: /a\ndeep: 1\n", ["2:1 SND-CFG012"]),
        ("depth: 1\n", ["1:1 SND-CFG011"]), ("path: [\n", ["2:1 SND-CFG004"]),
        ("sources: [{ id: a, plugin: other }]\n", ["1:1 SND-CFG011"]),
    ])
    func aFileThatWasNamedAndIsWrongIsRefusedWithThePlace(_ text: String, _ problems: [String]) throws {
        #expect(try Self.problems(text) == problems)
    }

    @Test func aFileThatWasNamedMustBeThere() {
        guard case .unusable(let loaded) = PluginSample(of: Self.descriptor).read("/nonexistent/o.yaml") else {
            Issue.record("it was read")
            return
        }
        #expect(loaded.problems.map(\.code.text) == ["SND-CFG001"])
    }
}
