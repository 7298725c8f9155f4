/// The problems of a configuration as lines for people and for editors that jump to `file:line:column`.
public enum ConfigurationReportView {
    /// The text; empty when there is no problem.
    public static func text(_ state: ConfigurationReportState) -> String {
        var text = ""
        for entry in state.entries {
            text += entry.heading + "\n"
            if let excerpt = entry.excerpt { text += "\(excerpt.line)\n\(excerpt.caret)\n" }
        }
        return text
    }
}
