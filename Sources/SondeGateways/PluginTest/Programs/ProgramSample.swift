internal import Glibc
internal import SondeDomain
public import SondeEngine

/// A program that is tested, with the options of `exec` that it is tested with: those of a file that was named, or of an entry
/// that runs it in a `sample.yaml` or `README.md` beside it.
public struct ProgramSample {
    /// What was found.
    public enum Reading {
        /// The program as it is run.
        case program(TestedProgram)
        /// The file is wrong: its problems, in the form of a configuration's.
        case unusable(LoadedConfiguration)
    }

    /// The path of the program.
    public let path: String
    private let name: String
    private let arguments: [String]
    private let files: any FileReader
    private let environment: any EnvironmentReader

    /// What a command names; nil: there is no such file.
    public init?(
        _ command: String, arguments: [String], files: any FileReader = PosixFileReader(),
        environment: any EnvironmentReader = ProcessEnvironmentReader()
    ) {
        guard let resolved = realpath(command, nil) else { return nil }
        defer { free(resolved) }
        path = String(cString: resolved)
        // By the name that was given: a link may be called otherwise.
        name = command.split(separator: "/").last.map(String.init) ?? path
        (self.arguments, self.files, self.environment) = (arguments, files, environment)
    }

    /// Reads the options of a file; nil: what is beside the program.
    public func read(_ file: String?) -> Reading {
        let (source, sink) = (sample(ExecPlugin.source), sample(ExecPlugin.sink))
        guard let file else {
            for (sample, kind) in [(source, PluginDescriptor.Kind.source), (sink, .sink)] {
                if case .options(let options?) = sample.find(beside: path, where: runsThis), !options.marks.isEmpty {
                    return .program(tested(options, kind))
                }
            }
            return .program(tested(OptionValues(), .source))
        }
        let first = source.read(file)
        guard case .unusable(let problems) = first else { return result(first, .source) }
        // A file without sources has an entry of the sink.
        let isOther = problems.problems.allSatisfy { $0.code == .missingKey }
        return isOther ? result(sink.read(file), .sink) : .unusable(problems)
    }

    private func result(_ reading: PluginSample.Reading, _ kind: PluginDescriptor.Kind) -> Reading {
        switch reading {
        case .unusable(let problems): .unusable(problems)
        case .options(let options): .program(tested(options ?? OptionValues(), kind))
        }
    }

    private func tested(_ options: OptionValues, _ kind: PluginDescriptor.Kind) -> TestedProgram {
        var values = options.values
        let sampled = runsThis(options) ? Array(values.list("command").dropFirst()) : []
        values["command"] = .list([path] + (arguments.isEmpty ? sampled : arguments))
        values["shell"] = nil
        return TestedProgram(name: name, path: path, kind: kind, options: OptionValues(values, marks: options.marks))
    }

    private func runsThis(_ options: OptionValues) -> Bool {
        options.values.list("command").first?.split(separator: "/").last.map(String.init) == name
    }

    /// The command may be missing: it was given.
    private func sample(_ descriptor: PluginDescriptor) -> PluginSample {
        let options = descriptor.options.map { option in
            option.key == "command" ? OptionDefinition(option.key, option.type, help: option.help) : option
        }
        return PluginSample(
            of: PluginDescriptor(
                name: descriptor.name, kind: descriptor.kind, version: descriptor.version, summary: descriptor.summary,
                options: options),
            running: name, files, environment)
    }
}

/// A program, and how the source or the sink `exec` runs it.
public struct TestedProgram: Sendable {
    /// What it is called.
    public let name: String
    /// Its path.
    public let path: String
    let kind: PluginDescriptor.Kind
    let options: OptionValues
}
