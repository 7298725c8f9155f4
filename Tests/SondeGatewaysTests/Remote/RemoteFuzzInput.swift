import CRemoteFetch
import SondeDomain
import SondeEngine
import SondeTestKit

@testable import SondeGateways

/// How the fuzzer's bytes become something of a remote configuration: one that selects what, then its bytes.
enum RemoteFuzzInput {
    private static let url = "https://centre.example/sonde.yaml"
    private static let key = "MCowBQYDK2VwAyEA0xFGVqRct4rbbt0c61oWxOXFb2KKpW+VNx+7wqJf7f8="
    private static let secret = "what only the host's files may show"
    private static let main = """
        version: 1
        agent:
          state_dir: /var/lib/sonde
          control_socket: none
          remote: { url: "\(url)", public_key: "\(key)" }
        sources: [{ id: kernel, plugin: procnet }]
        sinks: [{ id: console, plugin: stdout }]

        """

    /// The invariants that reading breaks.
    static func brokenInvariants(_ input: UnsafeRawBufferPointer) -> [String] {
        guard let first = input.first else { return [] }
        let bytes = Array(input.dropFirst())
        return switch first % 5 {
        case 0: brokenEnvelope(bytes)
        case 1: brokenAnswer(bytes)
        case 2: brokenState(bytes)
        case 3: brokenLayer(bytes)
        default: brokenFile(bytes)
        }
    }

    /// What the server sends, as the child that fetches reads it.
    private static func brokenEnvelope(_ bytes: [UInt8]) -> [String] {
        bytes.withUnsafeBytes { bytes in
            let file = remote_text(bytes: bytes.baseAddress?.assumingMemoryBound(to: CChar.self), size: bytes.count)
            var payload = remote_text()
            var serial: UInt64 = 0
            var missing: UnsafePointer<CChar>?
            guard remote_envelope_open(file, key, &payload, &serial, &missing) == nil else { return [] }
            let text = UnsafeRawBufferPointer(start: payload.bytes, count: payload.size)
            return text.starts(with: "serial: \(serial)\n".utf8) && text.count < bytes.count
                ? [] : ["what is signed has another serial"]
        }
    }

    /// What the child prints.
    private static func brokenAnswer(_ bytes: [UInt8]) -> [String] {
        let result = RemoteChild.Result(output: bytes, lastError: nil, status: 0)
        switch RemoteFetch.answer(result, limit: 1_024) {
        case .file(let layer): return bytes.suffix(layer.text.count).elementsEqual(layer.text) ? [] : ["another text"]
        case .failed(let error): return error.message.isEmpty ? ["a failure says nothing"] : []
        case .unchanged: return []
        }
    }

    /// What the state directory holds, behind a checksum that is right.
    private static func brokenState(_ bytes: [UInt8]) -> [String] {
        let digits = String(bytes.withUnsafeBytes { CRC32C.checksum($0) }, radix: 16)
        let head = "sonde-remote-state-1 " + String(repeating: "0", count: 8 - digits.count) + digits + "\n"
        guard var state = RemoteStateFile.state(in: Array(head.utf8) + bytes) else { return [] }
        guard RemoteStateFile.state(in: RemoteStateFile.bytes(of: state)) == state else { return ["another is kept"] }
        state.start()
        state.begin(RemoteLayer(serial: 7, text: []), failing: [])
        state.takeBack(because: "reason")
        return []
    }

    /// A signed text, beside the host's own files.
    private static func brokenLayer(_ bytes: [UInt8]) -> [String] {
        let loaded = load(main: Array(main.utf8), layer: bytes)
        guard let configuration = loaded.configuration else { return brokenRules(of: loaded) }
        let agent = configuration.agent
        let values = (configuration.sources.map(\.options) + configuration.sinks.map(\.options)).flatMap(\.values)
        let own = [
            ("no directory is set remotely", agent.stateDirectory == "/var/lib/sonde"),
            ("no plugin is added remotely", agent.pluginDirectories.isEmpty),
            ("no address is set remotely", agent.remote.url == url && agent.remote.publicKey == key),
            ("no program is run remotely", configuration.sources.allSatisfy { $0.plugin != "exec" }),
            ("no file is shown remotely", !values.contains { "\($0.value)".contains(secret) }),
        ]
        return brokenRules(of: loaded) + own.filter { !$0.1 }.map(\.0)
    }

    /// A file of the host.
    private static func brokenFile(_ bytes: [UInt8]) -> [String] { brokenRules(of: load(main: bytes, layer: nil)) }

    private static func brokenRules(of loaded: LoadedConfiguration) -> [String] {
        let isUsable = loaded.problems.allSatisfy { $0.severity == .warning }
        let marks = loaded.problems.map(\.mark)
        let rules = [
            ("what has an error is not used", (loaded.configuration != nil) == isUsable),
            ("a problem has a place", marks.allSatisfy { $0.line >= 1 && $0.column >= 1 && !$0.file.isEmpty }),
        ]
        return rules.filter { !$0.1 }.map(\.0)
    }

    private static func load(main: [UInt8], layer: [UInt8]?) -> LoadedConfiguration {
        let files = FakeFileReader([
            "sonde.yaml": FileContents(bytes: main), "/secret": FileContents(bytes: Array(secret.utf8)),
        ])
        return ConfigurationLoader(
            catalog: { _ in FakePluginCatalog.standard() }, files: files,
            environment: FakeEnvironmentReader(["NAME": secret]), host: FakeHostReader(), remote: Layer(text: layer)
        ).load(ConfigurationFiles("sonde.yaml", files: files))
    }

    private struct Layer: RemoteLayerReader {
        let text: [UInt8]?

        func layer(_ agent: AgentSettings) -> ConfigurationPart? {
            text.map { ConfigurationPart(RemoteLayer(serial: 7, text: $0), of: url) }
        }
    }
}
