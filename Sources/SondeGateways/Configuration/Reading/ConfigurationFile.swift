import SondeDomain
import SondeEngine

/// One configuration file, read and parsed as far as it goes.
struct ConfigurationFile {
    let text: SourceText
    let permissions: UInt32
    /// The keys of its top level.
    let entries: [YAMLEntry]
    let secrets: [ConfigurationText.SecretSpan]
    let problems: [ConfigurationProblem]
    /// Whether there were contents, as good as they are.
    let wasRead: Bool
    /// Whether its tree is whole.
    let isParsed: Bool
    /// Whether it comes from elsewhere, and may not hold everything.
    let isRemote: Bool

    init(_ part: ConfigurationPart, limits: YAMLLimits) {
        switch part.contents {
        case .success(let contents):
            self.init(contents, name: part.name, limits: limits, isRemote: part.isRemote)
        case .failure(let problem): self.init(name: part.name, problem, isRemote: part.isRemote)
        }
    }

    private init(_ contents: FileContents, name: String, limits: YAMLLimits, isRemote: Bool) {
        self.isRemote = isRemote
        text = SourceText(contents.bytes, file: name)
        permissions = contents.permissions
        wasRead = true
        do throws(ConfigurationProblem) {
            if let defect = text.defect() { throw defect }
            let document = try YAMLDocument(text, limits: limits)
            entries = try Self.entries(of: document)
            secrets = document.root.map(SecretSpans.likelySpans) ?? []
            problems = document.problems
            isParsed = true
        } catch {
            entries = []
            secrets = SecretSpans.likelySpans(inUnparsed: text)
            problems = [error]
            isParsed = false
        }
    }

    /// A file that could not be read.
    private init(name: String, _ problem: ConfigurationProblem, isRemote: Bool) {
        self.isRemote = isRemote
        text = SourceText([], file: name)
        permissions = 0
        wasRead = false
        entries = []
        secrets = []
        problems = [problem]
        // One that is left out with a warning has nothing that others could miss.
        isParsed = problem.severity == .warning
    }

    /// Whether it has `agent.remote`.
    var namesRemote: Bool {
        guard case .mapping(let entries)? = entry("agent")?.value.content else { return false }
        return entries.contains { $0.key == "remote" }
    }

    func entry(_ key: String) -> YAMLEntry? {
        entries.first { $0.key == key }
    }

    private static func entries(of document: YAMLDocument) throws(ConfigurationProblem) -> [YAMLEntry] {
        guard let root = document.root, !root.isNull else { return [] }
        guard case .mapping(let entries) = root.content else {
            throw ConfigurationProblem(
                .wrongStructure, at: root.mark, "a configuration is a mapping, not \(root.formName)",
                suggestion: "its keys are \(Shown.list(ConfigurationSchema.topLevelKeys))")
        }
        return entries
    }
}
