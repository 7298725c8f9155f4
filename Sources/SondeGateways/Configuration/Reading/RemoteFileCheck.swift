import SondeDomain
import SondeEngine

/// Checks that a remote configuration holds nothing that could run programs, read files or lock the centre out.
struct RemoteFileCheck {
    /// The key of its number.
    static let serial = "serial"
    /// Plugins that run the programs that their options name.
    static let plugins: Set<String> = ["exec"]
    // They let a plugin have more than it has by itself.
    private static let entryKeys: Set<String> = ["isolation", "sandbox"]

    let reading: ConfigurationReading

    func check() {
        for file in reading.files where file.isRemote {
            checkAgent(file)
            for key in ["sources", "sinks"] { checkEntries(file, key) }
            for entry in file.entries { checkReferences(in: entry.value) }
        }
    }

    private func checkAgent(_ file: ConfigurationFile) {
        guard case .mapping(let entries)? = file.entry("agent")?.value.content else { return }
        for entry in entries where !AgentSettings.remoteKeys.contains(entry.key) {
            // One that is unknown is reported as such.
            guard ConfigurationSchema.agent.contains(where: { $0.key.prefix { $0 != "." } == entry.key }) else {
                continue
            }
            forbid(
                entry.keyMark, "a remote configuration cannot set \(Shown.text("agent.\(entry.key)"))",
                "of 'agent' it may have \(Shown.list(AgentSettings.remoteKeys.sorted()))")
        }
    }

    private func checkEntries(_ file: ConfigurationFile, _ key: String) {
        guard case .sequence(let items)? = file.entry(key)?.value.content else { return }
        for item in items {
            guard case .mapping(let entries) = item.content else { continue }
            for entry in entries where Self.entryKeys.contains(entry.key) {
                forbid(entry.keyMark, "a remote configuration cannot set \(Shown.text(entry.key))", nil)
            }
            guard let plugin = entries.first(where: { $0.key == "plugin" }),
                case .scalar(let scalar) = plugin.value.content
            else { continue }
            if Self.plugins.contains(scalar.text) || scalar.text.utf8.contains(UInt8(ascii: "$")) {
                forbid(
                    plugin.value.mark, "a remote configuration cannot have a plugin that runs programs",
                    "configure it in the files of the host")
            }
        }
    }

    private func checkReferences(in node: YAMLNode) {
        switch node.content {
        case .scalar(let scalar):
            for segment in (try? ReferenceParser.segments(of: scalar.text)) ?? [] {
                guard case .reference(let reference, _) = segment else { continue }
                switch reference {
                case .host, .credential: break
                case .file, .variable:
                    forbid(
                        node.mark, "a remote configuration cannot have \(Shown.text(reference.name))",
                        "it may have ${cred:name} and ${host:name}")
                }
            }
        case .sequence(let items): for item in items { checkReferences(in: item) }
        case .mapping(let entries): for entry in entries { checkReferences(in: entry.value) }
        }
    }

    private func forbid(_ mark: SourceMark, _ message: String, _ suggestion: String?) {
        reading.report(.forbiddenRemotely, at: mark, message, suggestion: suggestion)
    }
}
