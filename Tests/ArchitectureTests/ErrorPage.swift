import Foundation

/// The page of one code, `docs/errors/SND-SPL005.md`: a head that comes from the code and a body that a person wrote.
struct ErrorPage {
    static let folder = "docs/errors"
    /// The sections of every body, in this order.
    static let sections = ["What happens", "What to do", "Example"]

    let code: String
    /// What the code says of the error, once for each reporter.
    let entries: [ErrorEntry]

    var path: String { "\(Self.folder)/\(code).md" }

    /// Every page that there should be, by code.
    static func all() throws -> [ErrorPage] {
        Dictionary(grouping: try ErrorEntry.all(), by: \.code)
            .map { ErrorPage(code: $0, entries: $1) }
            .sorted { $0.code < $1.code }
    }

    /// The head as it should be: everything before the first section.
    var head: String {
        var lines = ["# \(code)", "", "<!-- `make golden` writes what stands above the first section. -->", ""]
        lines += ["| | |", "| --- | --- |"]
        for entry in entries {
            lines.append("| reported by | \(entry.reporter.isEmpty ? "the agent" : "plugin `\(entry.reporter)`") |")
            lines.append("| class | [\(entry.classText)](../guide/delivery.md#what-each-class-does) |")
            lines.append("| meaning | \(entry.meaningCell) |")
            lines.append("| in short | \(entry.recoveryCell) |")
        }
        return lines.joined(separator: "\n") + "\n\n"
    }

    /// The file's text, split before its first section; nil when there is no file.
    var written: (head: String, body: String)? {
        guard let text = try? Repository.text(path), Repository.exists(path) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let first = lines.firstIndex { $0.hasPrefix("## ") } ?? lines.endIndex
        let head = lines[..<first].map { $0 + "\n" }.joined()
        return (head, lines[first...].joined(separator: "\n"))
    }

    /// Writes the head anew, and keeps the body; a page that is missing gets its sections, to be filled in.
    func rewriteHead() throws {
        let empty = Self.sections.map { "## \($0)\n" }.joined(separator: "\n")
        let text = head + (written?.body ?? empty)
        try FileManager.default.createDirectory(at: Repository.url(Self.folder), withIntermediateDirectories: true)
        try text.write(to: Repository.url(path), atomically: true, encoding: .utf8)
    }

    /// The sections of a body in order, with the lines below each title.
    static func parts(of body: String) -> [(title: String, lines: [Substring])] {
        var parts: [(title: String, lines: [Substring])] = []
        var isFenced = false
        for line in body.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") { isFenced.toggle() }
            if !isFenced, line.hasPrefix("## ") {
                parts.append((String(line.dropFirst(3)), []))
            } else if let last = parts.indices.last {
                parts[last].lines.append(line)
            }
        }
        return parts
    }

    /// The paragraphs that are not fenced.
    static func prose(of lines: [Substring]) -> [String] {
        var paragraphs: [[Substring]] = [[]]
        var isFenced = false
        for line in lines {
            if line.hasPrefix("```") { isFenced.toggle() }
            if line.isEmpty || isFenced || line.hasPrefix("```") {
                paragraphs.append([])
            } else {
                paragraphs[paragraphs.count - 1].append(line)
            }
        }
        return paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
    }
}
