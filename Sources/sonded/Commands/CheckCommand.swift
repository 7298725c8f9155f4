internal import SondeDomain
internal import SondeEngine
internal import SondePresentation

/// `check`: reads the configuration, loads its plugins, makes and frees every instance, and starts nothing.
struct CheckCommand {
    let session: Session

    func run() -> ExitCode {
        let loaded = session.loadChecked().loaded
        session.report(loaded)
        let state = ConfigurationReportState(loaded)
        guard state.errorCount == 0 else {
            StandardStream.error(summary(state))
            return .configuration
        }
        guard !session.arguments.isQuiet else { return .ok }
        let warnings = state.warningCount == 0 ? "" : ", \(count(state.warningCount, "warning"))"
        return StandardStream.output(Array("\(name) is valid\(warnings)\n".utf8))
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
