import Foundation

/// docs/reference/contract.md, made from the comments of the header of the contract.
struct ContractPage {
    static let path = "docs/reference/contract.md"
    private static let header = "Sources/CSondePlugin/include/sonde_plugin.h"

    private var lines: [String] = []

    /// The whole page.
    static func text() throws -> String {
        var page = ContractPage()
        page.write(try Repository.text(header))
        return page.lines.joined(separator: "\n") + "\n"
    }

    private mutating func write(_ header: String) {
        lines = [
            "# The contract between the agent and its plugins", "",
            "<!-- `make golden` writes this page from the header. -->", "",
            "All of [sonde_plugin.h](../../Sources/CSondePlugin/include/sonde_plugin.h), to read and to link to. What its versions "
                + "mean is in [contract-versions.md](../guide/contract-versions.md), how to write a plugin in "
                + "[writing-a-plugin.md](../guide/writing-a-plugin.md).", "",
        ]
        let blocks = header.components(separatedBy: "\n\n")
        writeRules(blocks.first { $0.hasPrefix("/*\n") } ?? "", header)
        var isInSection = false
        for block in blocks {
            if let title = block.firstMatch(of: /(?m)^\/\* -{10,} (.+) \*\/$/) {
                isInSection = true
                lines += ["## \(title.1.prefix(1).uppercased() + title.1.dropFirst())", ""]
                let rest = block[title.range.upperBound...].drop { $0 == "\n" }
                if !rest.isEmpty { write(block: String(rest)) }
            } else if isInSection, !block.contains("__cplusplus"), !block.hasPrefix("#endif") {
                write(block: block)
            }
        }
        while lines.last == "" { lines.removeLast() }
    }

    /// The rules of the comment at the top: a word in the margin, and what it means.
    private mutating func writeRules(_ first: String, _ header: String) {
        let comment = header.prefix(upTo: header.range(of: "*/")?.lowerBound ?? header.startIndex)
        let text = comment.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.trimmingPrefix(#/ ?/?\*+ ?/#))
        }
        guard let start = text.firstIndex(where: { $0.hasPrefix("RULES") }) else { return }
        let introduction = text[..<start].drop { !$0.hasPrefix("A plugin is") }
        for line in introduction {
            lines.append(line.hasPrefix("    ") ? line : Self.prose(line))
        }
        lines += ["## Rules that hold everywhere", ""]
        for line in text[(start + 1)...] {
            if let entry = line.wholeMatch(of: /([A-Z]\w+) {2,}(.+)/) {
                lines.append("- **\(entry.1)**: \(Self.prose(String(entry.2)))")
            } else if !line.allSatisfy(\.isWhitespace) {
                lines.append("  " + Self.prose(line.trimmingCharacters(in: .whitespaces)))
            }
        }
        lines.append("")
    }

    /// A comment in front, as prose, and the declarations after it.
    private mutating func write(block: String) {
        var code = block.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var comment: [String] = []
        if code.first?.trimmingCharacters(in: .whitespaces).hasPrefix("/*") == true,
            let end = code.firstIndex(where: { $0.hasSuffix("*/") })
        {
            comment = code[...end].map { line in
                String(line.trimmingCharacters(in: .whitespaces).trimmingPrefix(#//?\*+ ?/#).trimmingPrefix("--- "))
                    .replacing(#/ ?\*+/$/#, with: "")
            }
            code.removeFirst(end + 1)
        }
        if let title = Self.title(of: code) { lines += [title, ""] }
        let paragraph = comment.map { $0.hasPrefix("  ") ? "    " + $0.dropFirst(2) : Self.prose($0) }
        if !paragraph.allSatisfy(\.isEmpty) { lines += paragraph.drop(while: \.isEmpty) + [""] }
        guard !code.allSatisfy(\.isEmpty) else { return }
        let indent = code.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        lines += ["```c"] + code.map { String($0.dropFirst(indent)) } + ["```", ""]
    }

    /// The heading of a struct or of a function in one.
    private static func title(of code: [String]) -> String? {
        let text = code.joined(separator: "\n")
        if let type = text.firstMatch(of: /(?m)^(?:typedef )?(?:struct|union) (\w+) \{/) { return "### `\(type.1)`" }
        if let function = text.firstMatch(of: /^    \w[\w ]*\*?\(\*(\w+)\)/) { return "#### `\(function.1)`" }
        return nil
    }

    private static func prose(_ text: String) -> String {
        text.replacing("<", with: "&lt;").replacing("*", with: "\\*")
    }
}
