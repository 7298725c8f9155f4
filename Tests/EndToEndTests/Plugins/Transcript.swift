import Foundation

/// The commands and outputs in one section of a page: blocks of `console`, in which a command begins with `$ `.
struct Transcript {
    struct Step {
        let command: String
        var output: [Substring] = []

        /// Whether what was printed is what is shown, in which `…` stands for anything.
        func shows(_ printed: String) -> Bool {
            var rest = printed[...]
            let parts = output.joined(separator: "\n").components(separatedBy: "…")
            for (index, part) in parts.enumerated() {
                if index == 0 {
                    guard rest.hasPrefix(part) else { return false }
                    rest = rest.dropFirst(part.count)
                } else if index == parts.count - 1 {
                    return rest.hasSuffix(part)
                } else {
                    guard let found = rest.range(of: part) else { return false }
                    rest = rest[found.upperBound...]
                }
            }
            return rest.isEmpty
        }
    }

    let steps: [Step]

    /// The section with this heading; blocks of `console exec` where programs can be plugins.
    init(page: String, section: String, withExec: Bool) {
        var steps: [Step] = []
        var isInSection = false
        var isInBlock = false
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("## ") { isInSection = line == "## \(section)" }
            if line.hasPrefix("```") {
                isInBlock = isInSection && (line == "```console" || withExec && line == "```console exec")
            } else if isInBlock, line.hasPrefix("$ ") {
                steps.append(Step(command: String(line.dropFirst(2))))
            } else if isInBlock, !steps.isEmpty {
                steps[steps.count - 1].output.append(line)
            }
        }
        self.steps = steps
    }

    /// A script for one shell, which separates what the commands print.
    ///
    /// A change waits until the second of the build before it is over: the compiler takes a file that changed within it for the same.
    var script: String {
        "exec 2>&1\n"
            + steps.map { step in
                let wait = step.command.hasPrefix("sed -i ") ? "sleep 1.1\n" : ""
                return "\(wait)printf '\\036'\n\(step.command)\n"
            }.joined()
    }

    /// What each command printed, without the last end of line.
    static func outputs(_ printed: String) -> [String] {
        printed.split(separator: "\u{1E}", omittingEmptySubsequences: false).dropFirst().map { text in
            text.hasSuffix("\n") ? String(text.dropLast()) : String(text)
        }
    }
}
