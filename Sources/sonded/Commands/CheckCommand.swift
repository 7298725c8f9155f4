internal import SondeDomain
internal import SondeEngine
internal import SondePresentation

/// `check`: reads the configuration, loads its plugins, makes and frees every instance, and starts nothing.
struct CheckCommand {
    let session: Session

    func run() -> ExitCode {
        let (loaded, catalog) = session.load()
        let complete = validated(loaded, catalog)
        session.report(complete)
        let state = ConfigurationReportState(complete)
        guard state.errorCount == 0 else {
            StandardStream.error(summary(state))
            return .configuration
        }
        guard !session.arguments.isQuiet else { return .ok }
        let warnings = state.warningCount == 0 ? "" : ", \(count(state.warningCount, "warning"))"
        return StandardStream.output(Array("\(name) is valid\(warnings)\n".utf8))
    }

    /// The result with what the plugins themselves say of their options.
    private func validated(_ loaded: LoadedConfiguration, _ catalog: any PluginCatalog) -> LoadedConfiguration {
        guard let configuration = loaded.configuration else { return loaded }
        let container = AppContainer(configuration: configuration, catalog: catalog, log: session.startupLog)
        let failures = container.validateInstances().map { InstanceProblem($0, configuration).problem }
        return LoadedConfiguration(
            configuration: failures.isEmpty ? configuration : nil,
            problems: (loaded.problems + failures).sorted { $0.mark.isBefore($1.mark) },
            texts: loaded.texts
        )
    }

    private func summary(_ state: ConfigurationReportState) -> String {
        let warnings = state.warningCount == 0 ? "" : " and \(count(state.warningCount, "warning"))"
        return "\(name): \(count(state.errorCount, "error"))\(warnings)"
    }

    private var name: String { session.arguments.configPath ?? "the built-in configuration" }

    private func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }
}
