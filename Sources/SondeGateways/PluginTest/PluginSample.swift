public import SondeDomain
public import SondeEngine

/// The options that a plugin is tested with: those of a file that was named, of a `sample.yaml` beside the plugin, or of
/// the first block of YAML in the `README.md` there.
///
/// A file is a configuration with an entry of the plugin, or nothing but the plugin's options.
public struct PluginSample {
    /// What was found.
    public enum Reading: Sendable {
        /// The options, defaults included; nil: no file has any, and one is required.
        case options(OptionValues?)
        /// The file is wrong: its problems, in the form of a configuration's.
        case unusable(LoadedConfiguration)
    }

    private static let parents = 3
    private let descriptor: PluginDescriptor
    private let files: any FileReader
    private let environment: any EnvironmentReader
    private let limits = YAMLLimits()
    /// The last word of the path of a program: an entry that runs it goes before others.
    private let program: String?

    /// The sample of a plugin.
    public init(
        of descriptor: PluginDescriptor, files: any FileReader = PosixFileReader(),
        environment: any EnvironmentReader = ProcessEnvironmentReader()
    ) {
        self.init(of: descriptor, running: nil, files, environment)
    }

    /// The sample of a plugin that runs a program.
    init(
        of descriptor: PluginDescriptor, running program: String?, _ files: any FileReader,
        _ environment: any EnvironmentReader
    ) {
        (self.descriptor, self.program, self.files, self.environment) = (descriptor, program, files, environment)
    }

    /// Reads the file at `path`, which must have options of the plugin.
    public func read(_ path: String) -> Reading {
        do throws(FileReadFailure) {
            return options(in: try files.read(path, limit: limits.bytes), path)
        } catch {
            let start = SourceMark(file: path, line: 1, column: 1)
            return .unusable(
                LoadedConfiguration(
                    configuration: nil,
                    problems: [
                        ConfigurationProblem(.configurationUnreadable, at: start, "cannot read it: \(error.reason)")
                    ], texts: []))
        }
    }

    /// Reads what is beside the plugin at `object`, or in the directories around it, as build folders are in projects.
    public func find(beside object: String) -> Reading { find(beside: object) { _ in true } }

    /// The same, but for what does not fit.
    func find(beside object: String, where fits: (OptionValues) -> Bool) -> Reading {
        var directory = object[...]
        for _ in 0..<Self.parents {
            guard let slash = directory.lastIndex(of: "/") else { break }
            directory = directory[..<slash]
            for name in ["\(descriptor.name).sample.yaml", "sample.yaml", "README.md"] {
                let path = "\(directory)/\(name)"
                guard var contents = try? files.read(path, limit: limits.bytes) else { continue }
                if name == "README.md" { contents.bytes = Self.block(of: contents.text) }
                // Of another plugin, or prose.
                guard case .options(let options?) = options(in: contents, path), !options.marks.isEmpty, fits(options)
                else { continue }
                return .options(options)
            }
        }
        return .options(OptionValues().completed(by: descriptor.options))
    }

    private func options(in contents: FileContents, _ path: String) -> Reading {
        let resolver = ReferenceResolver(environment: environment, files: files, host: LocalHostReader())
        let reading = ConfigurationReading(resolver: resolver)
        let file = ConfigurationFile(ConfigurationPart(path, .success(contents)), limits: limits)
        reading.add(file)
        var values = OptionValues()
        if !file.isParsed {
            // Its problem is reported already.
        } else if let entries = entries(of: file) {
            var reader = OptionReader(
                owner: "plugin '\(descriptor.name)'", at: file.text.start, descriptor.options, reading)
            reader.read(entries)
            values = OptionValues(reader.values, marks: reader.marks)
        } else {
            reading.report(.missingKey, at: file.text.start, "no entry is of the plugin '\(descriptor.name)'")
        }
        let problems = reading.sortedProblems()
        guard problems.contains(where: { $0.severity == .error }) else { return .options(values) }
        return .unusable(LoadedConfiguration(configuration: nil, problems: problems, texts: reading.texts()))
    }

    /// The keys of the plugin; nil: it is a configuration without an entry of it.
    private func entries(of file: ConfigurationFile) -> [YAMLEntry]? {
        let section = file.entry(descriptor.kind == .source ? "sources" : "sinks")
        guard let section else { return file.entry("sources") ?? file.entry("sinks") == nil ? file.entries : nil }
        guard case .sequence(let items) = section.value.content else { return nil }
        let common = descriptor.kind == .source ? ConfigurationSchema.source : ConfigurationSchema.sink
        let taken = Set((common + ConfigurationSchema.identity).map { String($0.key.prefix { $0 != "." }) })
        let candidates = items.compactMap { item -> [YAMLEntry]? in
            guard case .mapping(let entries) = item.content, let plugin = entries.first(where: { $0.key == "plugin" }),
                case .scalar(let name) = plugin.value.content, name.text == descriptor.name
            else { return nil }
            return entries.filter { !taken.contains($0.key) }
        }
        return candidates.first(where: runsProgram) ?? candidates.first
    }

    private func runsProgram(_ entries: [YAMLEntry]) -> Bool {
        guard let program, let command = entries.first(where: { $0.key == "command" }),
            case .sequence(let words) = command.value.content, case .scalar(let path)? = words.first?.content
        else { return false }
        return path.text.split(separator: "/").last.map(String.init) == program
    }

    /// The first block of YAML in a page, with the lines before it empty, so that its places are those of the page.
    private static func block(of page: String) -> [UInt8] {
        var text = ""
        var isInside = false
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if isInside, line.hasPrefix("```") { break }
            text += isInside ? "\(line)\n" : "\n"
            if line.hasPrefix("```yaml") { isInside = true }
        }
        return Array(text.utf8)
    }
}
