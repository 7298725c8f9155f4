internal import SondeDomain

/// Spells a plugin's description for people.
public struct PluginDescriptionView {
    private let state: PluginDescriptionState

    /// A view of `state`.
    public init(_ state: PluginDescriptionState) {
        self.state = state
    }

    /// The description in sections.
    public var text: String {
        var lines = heading
        lines += section("OPTIONS", options)
        lines += section("METRICS", metrics)
        lines += section("ERRORS", errors)
        return lines.joined(separator: "\n") + "\n"
    }

    private var heading: [String] {
        let descriptor = state.descriptor
        var lines = [
            "\(descriptor.name) - \(descriptor.summary)",
            "",
            "  kind       \(descriptor.kind.rawValue)",
            "  version    \(descriptor.version)",
            "  stability  \(descriptor.stability.rawValue)",
        ]
        if let delivery = descriptor.delivery { lines.append("  delivery   \(delivery.rawValue)") }
        lines.append("  file       \(state.path)")
        for need in descriptor.needs { lines.append("  needs      \(need)") }
        return lines
    }

    private var options: [String] {
        guard !state.options.isEmpty else { return [] }
        var table = TextTable(["KEY", "TYPE", "DEFAULT", "HELP"])
        for option in state.options { table.append([option.key, option.type, option.fallback, option.help]) }
        return table.lines(indent: 2)
    }

    private var metrics: [String] {
        guard !state.descriptor.metrics.isEmpty else { return [] }
        var table = TextTable(["NAME", "KIND", "UNIT", "ATTRIBUTES", "MEANING"])
        for metric in state.descriptor.metrics {
            let attributes = metric.attributes.joined(separator: ", ")
            table.append([metric.name, metric.kind.name, metric.unit, attributes, metric.meaning])
        }
        return table.lines(indent: 2)
    }

    private var errors: [String] {
        guard !state.descriptor.errors.isEmpty else { return [] }
        var table = TextTable(["CODE", "MEANING", "WHAT TO DO"])
        for error in state.descriptor.errors { table.append([error.code, error.meaning, error.recovery]) }
        return table.lines(indent: 2)
    }

    private func section(_ title: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : ["", title] + lines
    }
}
