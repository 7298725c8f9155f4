internal import SondeDomain
internal import SondeEngine

/// A plugin's error about its options when an instance was made, at the option's place in the file.
struct InstanceProblem {
    let problem: ConfigurationProblem

    init(_ error: SondeError, _ configuration: AgentConfiguration) {
        let options =
            configuration.sources.first { $0.id == error.component }?.options
            ?? configuration.sinks.first { $0.id == error.component }?.options
        let mark = options?.mark(for: error.optionPath ?? "")
        let who = error.component.map { " in '\($0)'" } ?? ""
        let what = error.optionPath.map { "option '\($0)'\(who): \(error.message)" }
        problem = ConfigurationProblem(
            error.code,
            at: mark ?? SourceMark(file: "built-in configuration", line: 1, column: 1),
            what ?? "\(error.component ?? "plugin"): \(error.message)",
            suggestion: Self.advice(error)
        )
    }

    private static func advice(_ error: SondeError) -> String? {
        for action in error.recovery {
            if case .advise(let advice) = action { return advice }
        }
        return nil
    }
}

/// Plugins' errors when instances were made, as problems of the configuration.
struct InstanceProblems {
    let problems: [ConfigurationProblem]

    /// For an entry with other problems only errors about a value in the file count: an option that could not be
    /// read is missing, and a plugin's error about that would be misleading.
    init(_ errors: [SondeError], in loaded: LoadedConfiguration) {
        let isComplete = loaded.configuration != nil
        problems = errors.filter { isComplete || Self.concernsValue($0, loaded.draft) }
            .map { InstanceProblem($0, loaded.draft).problem }
    }

    private static func concernsValue(_ error: SondeError, _ configuration: AgentConfiguration) -> Bool {
        guard let path = error.optionPath else { return false }
        let options =
            configuration.sources.first { $0.id == error.component }?.options
            ?? configuration.sinks.first { $0.id == error.component }?.options
        return options?.hasValue(at: path) ?? false
    }
}
