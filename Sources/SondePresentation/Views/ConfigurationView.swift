import SondeEngine

/// The effective configuration as YAML that loads again; secrets read `***`.
public enum ConfigurationView {
    /// The text.
    public static func text(_ state: ConfigurationState) -> String {
        var text = "version: \(ConfigurationSchema.version)\nagent:\n"
        text += lines(of: state.agent, indent: "  ")
        text += section("sources", state.sources)
        text += section("sinks", state.sinks)
        return text
    }

    private static func section(_ name: String, _ items: [[ConfigurationState.Setting]]) -> String {
        guard !items.isEmpty else { return "\(name): []\n" }
        return items.reduce("\(name):\n") { text, settings in
            // The first line carries the dash of the list in place of its indentation.
            text + "  - " + lines(of: settings, indent: "    ").dropFirst(4)
        }
    }

    private static func lines(of settings: [ConfigurationState.Setting], indent: String) -> String {
        var text = ""
        var open: [Substring] = []
        for setting in settings {
            let path = setting.path.split(separator: ".")
            let sections = path.dropLast()
            let common = zip(open, sections).prefix { $0 == $1 }.count
            for (depth, name) in sections.enumerated().dropFirst(common) {
                text += indent + margin(depth) + "\(name):\n"
            }
            open = Array(sections)
            text += indent + margin(sections.count) + line(setting, key: path.last ?? "") + "\n"
        }
        return text
    }

    private static func margin(_ depth: Int) -> String {
        String(repeating: "  ", count: depth)
    }

    private static func line(_ setting: ConfigurationState.Setting, key: Substring) -> String {
        switch setting.origin {
        case .file: "\(key): \(setting.value)"
        case .standard: "\(key): \(setting.value)  # default"
        case .inherited: "\(key): \(setting.value)  # from agent"
        case .unset(let words): "# \(key): \(words)"
        }
    }
}
