import SondeDomain

/// docs/errors.md as it should be: one table for the agent and one for each plugin, linked to a page per code.
enum ErrorList {
    static let path = "docs/errors.md"

    /// The page, made anew.
    static func page() throws -> String {
        var lines = [
            "# Errors",
            "",
            "Every failure carries a code that never changes its meaning. Each code has a page: what happens to the data,",
            "when it is tried again, what a person can do, and how it looks. `make golden` writes this page and the head of",
            "each of those from the code.",
            "",
            "The class says what the agent does; [the guide to delivery](guide/delivery.md) explains the classes. A plugin's",
            "error gets its class from the cause: it stands on the error's page. A status of HTTP that is not listed has a",
            "code all the same, `SND-HTTP<status>`, and is treated like the others of its family.",
        ]
        let all = try ErrorEntry.all()
        for reporter in ErrorEntry.reporters(of: all) {
            let title = reporter.isEmpty ? "Agent" : "Plugin `\(reporter)`"
            lines += ["", "## \(title)", ""]
            lines += table(all.filter { $0.reporter == reporter })
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The codes that a text names.
    static func codes(in text: String) -> Set<String> {
        Set(text.matches(of: /SND-[A-Z]+[0-9]+/).map { String($0.0) })
    }

    private static func table(_ entries: [ErrorEntry]) -> [String] {
        ["| code | class | meaning | what to do |", "| --- | --- | --- | --- |"]
            + entries.sorted { $0.code < $1.code }.map { entry in
                let link = "[\(entry.code)](errors/\(entry.code).md)"
                return "| \([link, entry.classText, entry.meaningCell, entry.recoveryCell].joined(separator: " | ")) |"
            }
    }
}
