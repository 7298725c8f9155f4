internal import SondeFormats

/// Spells the result of a plugin's test for people and for programs.
public struct PluginTestView {
    private let state: PluginTestState

    /// A view of `state`.
    public init(_ state: PluginTestState) {
        self.state = state
    }

    /// A line for each rule; below one that is broken what was expected, what was seen, and what to do.
    public var text: String {
        let width = state.rows.map(\.name.count).max() ?? 0
        var lines = state.path.isEmpty ? [state.plugin] : ["\(state.plugin) (\(state.path))"]
        for row in state.rows {
            let name = row.name + String(repeating: " ", count: width - row.name.count)
            switch row.result {
            case .pass: lines.append("  pass     \(row.name)")
            case .skipped: lines.append("  skipped  \(name)  \(row.seen)")
            case .fail:
                lines.append("  FAIL     \(row.name)")
                lines.append("             expected  \(row.expected)")
                lines.append("             seen      \(row.seen)")
                lines.append("             to do     \(row.advice)")
            }
        }
        return lines.joined(separator: "\n") + "\n\(summary)\n"
    }

    private var summary: String {
        let counts = "\(state.count(.pass)) passed, \(state.count(.fail)) failed, \(state.count(.skipped)) skipped"
        guard !state.unproven.isEmpty else { return counts }
        return "\(counts); nothing is shown while '\(state.unproven)' is not checked"
    }

    /// One JSON object; what a rule that is kept has nothing to say of is left out.
    public var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("plugin", state.plugin)
            if !state.path.isEmpty { json.member("path", state.path) }
            json.member("passed", state.count(.pass))
            json.member("failed", state.count(.fail))
            json.member("skipped", state.count(.skipped))
            json.member("rules") { json in
                json.array { json in
                    for row in state.rows { Self.write(row, to: &json) }
                }
            }
        }
        return json.bytes + [0x0a]
    }

    private static func write(_ row: PluginTestState.Row, to json: inout JSONWriter) {
        json.object { json in
            json.member("rule", row.name)
            json.member("result", row.result.rawValue)
            json.member("expected", row.expected)
            if !row.seen.isEmpty { json.member("seen", row.seen) }
            if row.result == .fail { json.member("advice", row.advice) }
            json.member("milliseconds", row.milliseconds)
        }
    }
}
