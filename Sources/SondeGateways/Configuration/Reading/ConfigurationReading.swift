import SondeDomain
import SondeEngine

/// What one pass over the configuration files collects: problems, secrets, and what references cost.
///
/// Used by one thread.
final class ConfigurationReading {
    /// Problems beyond this number are counted and not kept.
    private static let problemLimit = 200

    /// Of the values that one replaced, this many last ones are kept.
    private static let replacedLimit = 8

    private(set) var files: [ConfigurationFile] = []
    private var problems: [ConfigurationProblem] = []
    private var unlisted = 0
    private var secrets: [String: [ConfigurationText.SecretSpan]] = [:]
    private var exposedFiles: Set<String> = []
    private var absent: Set<String> = []
    private(set) var provenance = ConfigurationProvenance()
    // Nil where a `${` has no meaning: in the defaults of plugins.
    private var resolver: ReferenceResolver?

    init(resolver: ReferenceResolver?) {
        self.resolver = resolver
    }

    /// The files that are for this host.
    var activeFiles: [ConfigurationFile] { files.filter { !absent.contains($0.text.file) } }

    /// Whether a node is of a file that comes from elsewhere.
    func isRemote(_ node: YAMLNode) -> Bool {
        files.contains { $0.isRemote && $0.text.file == node.mark.file }
    }

    var isClean: Bool { problems.isEmpty }

    /// The beginning of the main file.
    var start: SourceMark { files.first?.text.start ?? SourceMark(file: "", line: 1, column: 1) }

    func add(_ file: ConfigurationFile) {
        files.append(file)
        if file.wasRead { provenance.files.append(file.text.file) }
        for span in file.secrets { hide(span, in: file.text.file) }
        for problem in file.problems { report(problem) }
    }

    /// Whether further problems are only counted, so that their details are not needed.
    var isFull: Bool { problems.count >= Self.problemLimit }

    func report(_ problem: ConfigurationProblem) {
        guard !isFull else {
            unlisted += 1
            return
        }
        problems.append(problem)
    }

    func report(_ code: ErrorCode, at mark: SourceMark, _ message: String, suggestion: String? = nil) {
        report(ConfigurationProblem(code, at: mark, message, suggestion: suggestion))
    }

    /// Leaves a file out that is for other hosts.
    func leaveOut(_ file: ConfigurationFile) { absent.insert(file.text.file) }

    /// Notes a part that is not in force.
    func leaveOut(_ part: String, at mark: SourceMark, _ reason: String) {
        provenance.leftOut.append(.init(part, at: mark, reason))
    }

    /// Notes an entry that is not in force; `noun` is `source` or `sink`.
    func leaveOut(_ noun: String, _ id: String?, at mark: SourceMark, _ reason: String) {
        leaveOut(noun + (id.map { " \(Shown.text($0))" } ?? ""), at: mark, reason)
    }

    /// Notes that one value counts in place of another.
    func note(_ mark: SourceMark, replaces other: SourceMark) {
        provenance.replaced[mark] = ((provenance.replaced[other] ?? []) + [other]).suffix(Self.replacedLimit)
    }

    /// Notes the name that `when` was compared with.
    func note(host: String) { provenance.host = host }

    /// Hides a value from all output.
    func hide(_ node: YAMLNode) {
        for span in SecretSpans.spans(of: node) { hide(span, in: node.mark.file) }
    }

    /// The text of a single value with its references replaced; nil when a problem was reported.
    func resolve(_ scalar: YAMLScalar, of node: YAMLNode, _ definition: OptionDefinition) -> ResolvedScalar? {
        guard resolver != nil else { return ResolvedScalar(text: scalar.text, isTyped: scalar.style == .plain) }
        let resolved: ReferenceResolver.Resolved
        do throws(ReferenceResolver.Failure) {
            guard let value = try resolver?.resolve(scalar.text) else { return nil }
            resolved = value
        } catch {
            let mark = place(ofReference: error.ordinal, in: node)
            report(error.code, at: mark, error.message, suggestion: error.suggestion)
            return nil
        }
        if definition.isSecret { warnOfExposure(of: node, resolved, definition) }
        if resolved.hasReferences { provenance.references[node.mark] = resolved.names }
        return ResolvedScalar(
            text: resolved.text, isTyped: scalar.style == .plain || resolved.hasReferences,
            reference: resolved.hasReferences ? scalar.text : nil)
    }

    /// Checks the references in a value that is not used, so that all errors are reported at once.
    func checkReferences(in node: YAMLNode) {
        switch node.content {
        case .scalar(let scalar): _ = resolve(scalar, of: node, OptionDefinition("", .string, help: ""))
        case .sequence(let items): for item in items { checkReferences(in: item) }
        case .mapping(let entries): for entry in entries { checkReferences(in: entry.value) }
        }
    }

    func sortedProblems() -> [ConfigurationProblem] {
        let order = Dictionary(files.enumerated().map { ($1.text.file, $0) }) { first, _ in first }
        let keyed = problems.enumerated().map { index, problem in
            (key: (order[problem.mark.file] ?? .max, problem.mark.line, problem.mark.column, index), problem: problem)
        }
        var sorted = keyed.sorted { $0.key < $1.key }.map(\.problem)
        if unlisted > 0, let last = sorted.last {
            sorted.append(
                ConfigurationProblem(.tooManyProblems, at: last.mark, "\(unlisted) more problems are not listed"))
        }
        return sorted
    }

    func texts() -> [ConfigurationText] {
        files.map { ConfigurationText(file: $0.text.file, lines: $0.text.lines, secrets: secrets[$0.text.file] ?? []) }
    }

    private func hide(_ span: ConfigurationText.SecretSpan, in file: String) {
        secrets[file, default: []].append(span)
    }

    private func place(ofReference ordinal: Int, in node: YAMLNode) -> SourceMark {
        guard !isFull else { return node.mark }
        let file = files.first { $0.text.file == node.mark.file }
        return file?.text.place(ofReference: ordinal, in: node) ?? node.mark
    }

    private func warnOfExposure(
        of node: YAMLNode, _ resolved: ReferenceResolver.Resolved, _ definition: OptionDefinition
    ) {
        for (path, ordinal) in resolved.exposedFiles {
            warn(
                at: place(ofReference: ordinal, in: node), "every user of this machine can read \(Shown.text(path))",
                suggestion: "chmod o-rwx \(path)")
        }
        let file = node.mark.file
        let isOpen = files.contains { $0.text.file == file && $0.permissions & 0o004 != 0 }
        guard !resolved.hasReferences, isOpen, exposedFiles.insert(file).inserted else { return }
        warn(
            at: node.mark, "the secret \(Shown.text(definition.key)) is in a file that every user can read",
            suggestion: "refer to its own file: ${file:/path}")
    }

    private func warn(at mark: SourceMark, _ message: String, suggestion: String) {
        report(ConfigurationProblem(.exposedSecret, at: mark, message, suggestion: suggestion, severity: .warning))
    }
}

/// The text of a single value.
struct ResolvedScalar {
    let text: String
    /// Whether it may be a bool or a number; a quoted one is text.
    let isTyped: Bool
    /// The text as the file has it, if it contains references; nil: there were none.
    var reference: String?

    /// What may be shown: the value of a reference may be secret, for any option.
    var shownText: String { reference ?? text }
}
