import SondeDomain
import SondeEngine
import SondeGateways
import SondeTestKit

/// Loads texts as `sonde.yaml` and the other given files.
struct ConfigurationFixture {
    var catalog = FakePluginCatalog.standard()
    var others: [String: String] = [:]
    var environment: [String: String] = [:]
    var host = FakeHostReader()

    func load(_ text: String) -> LoadedConfiguration {
        load(bytes: Array(text.utf8))
    }

    func load(bytes: [UInt8]) -> LoadedConfiguration {
        var files = others.mapValues { FileContents(bytes: Array($0.utf8)) }
        files["sonde.yaml"] = FileContents(bytes: bytes)
        return load(files)
    }

    func load(_ files: [String: FileContents]) -> LoadedConfiguration {
        let reader = FakeFileReader(files)
        return ConfigurationLoader(
            catalog: { _ in catalog },
            files: reader,
            environment: FakeEnvironmentReader(environment),
            host: host
        ).load(ConfigurationFiles("sonde.yaml", files: reader))
    }

    /// A source `kernel` and a sink `console`, and `agent:` with these lines.
    static func agent(_ lines: String...) -> String {
        head + "agent:\n" + lines.map { "  \($0)\n" }.joined() + source + sink
    }

    /// A source of the plugin `every` with these lines; the first is line 5.
    static func every(_ lines: String...) -> String {
        head + sink + "sources:\n  - id: all\n    plugin: every\n" + lines.map { "    \($0)\n" }.joined()
    }

    /// A sink `central` of the plugin http with these lines; the first is line 6.
    static func http(_ lines: String...) -> String {
        head + source + "sinks:\n  - id: central\n    plugin: http\n    url: https://h/\n"
            + lines.map { "    \($0)\n" }.joined()
    }

    static let head = "version: 1\n"
    static let source = "sources: [{ id: kernel, plugin: procnet }]\n"
    static let sink = "sinks: [{ id: console, plugin: stdout }]\n"
    static let minimal = head + source + sink
}

extension ConfigurationProblem {
    /// The problem on one line, as the report begins.
    var line: String {
        let rest = suggestion.map { "; \($0)" } ?? ""
        return "\(mark.line):\(mark.column) \(severity == .error ? "" : "warning ")\(code) \(message)\(rest)"
    }
}
