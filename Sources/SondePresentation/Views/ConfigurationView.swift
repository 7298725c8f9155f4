import SondeEngine

/// The effective configuration as YAML that loads again; secrets read `***`.
public struct ConfigurationView {
    /// What is remarked beside each value.
    public enum Remarks: Hashable, Sendable {
        /// Which of them are defaults.
        case defaults
        /// The place of each, and what is not in force.
        case origins
    }

    private let state: ConfigurationState
    private let remarks: Remarks

    /// A view.
    public init(_ state: ConfigurationState, _ remarks: Remarks = .defaults) {
        self.state = state
        self.remarks = remarks
    }

    /// The text.
    public var text: String {
        var text = remarks == .origins ? head : ""
        text += "version: \(ConfigurationSchema.version)\nagent:\n"
        text += lines(of: state.agent, indent: "  ")
        text += section("sources", state.sources)
        text += section("sinks", state.sinks)
        return remarks == .origins ? text + leftOut : text
    }

    private var head: String {
        "# On host '\(state.host)', from:\n" + state.files.map { "#   \($0)\n" }.joined()
    }

    private var leftOut: String {
        guard !state.leftOut.isEmpty else { return "" }
        return "# Left out on host '\(state.host)':\n" + state.leftOut.map { "#   \($0)\n" }.joined()
    }

    private func section(_ name: String, _ items: [[ConfigurationState.Setting]]) -> String {
        guard !items.isEmpty else { return "\(name): []\n" }
        return items.reduce("\(name):\n") { text, settings in
            // The first line carries the dash of the list in place of its indentation.
            text + "  - " + lines(of: settings, indent: "    ").dropFirst(4)
        }
    }

    private func lines(of settings: [ConfigurationState.Setting], indent: String) -> String {
        var text = ""
        var open: [Substring] = []
        for setting in settings {
            let path = setting.path.split(separator: ".")
            let sections = path.dropLast()
            let common = zip(open, sections).prefix { $0 == $1 }.count
            for (depth, name) in sections.enumerated().dropFirst(common) {
                text += indent + Self.margin(depth) + "\(name):\n"
            }
            open = Array(sections)
            text += lines(of: setting, key: path.last ?? "", indent: indent + Self.margin(sections.count))
        }
        return text
    }

    private static func margin(_ depth: Int) -> String {
        String(repeating: "  ", count: depth)
    }

    private func lines(of setting: ConfigurationState.Setting, key: Substring, indent: String) -> String {
        guard remarks == .origins, !setting.members.isEmpty else { return indent + line(setting, key: key) + "\n" }
        return setting.members.reduce("\(indent)\(key):\n") { text, member in
            text + "\(indent)  \(line(member, key: member.path[...]))\n"
        }
    }

    private func line(_ setting: ConfigurationState.Setting, key: Substring) -> String {
        let text = "\(key): \(setting.value)"
        let place = remarks == .origins ? setting.place.map(Self.remark) : nil
        switch setting.origin {
        case .file: return text + (place.map { "  # \($0)" } ?? "")
        case .standard: return text + "  # default"
        case .inherited: return text + "  # from agent" + (remarks == .origins ? ", \(place ?? "default")" : "")
        case .unset(let words): return "# \(key): \(words)" + (remarks == .origins ? "  # default" : "")
        }
    }

    /// `sonde.yaml:4, from ${env:NAME}, in place of sonde.yaml:3`.
    private static func remark(_ place: ConfigurationState.Place) -> String {
        let references = place.references.isEmpty ? "" : ", from " + place.references.joined(separator: " ")
        let replaced = place.replaced.isEmpty ? "" : ", in place of " + place.replaced.joined(separator: " ")
        return place.line + references + replaced
    }
}
