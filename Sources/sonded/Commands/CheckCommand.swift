internal import SondeDomain
internal import SondeEngine
internal import SondePresentation

/// `check`: reads the configuration, loads its plugins, makes and frees every instance, and starts nothing.
///
/// With `--estimate` a right configuration is then run as by `once`, and what it will send is printed.
struct CheckCommand {
    let session: Session

    func run() throws(SondeError) -> ExitCode {
        let loaded = session.loadChecked().loaded
        session.report(loaded)
        let state = ConfigurationReportState(loaded)
        guard state.errorCount == 0 else {
            StandardStream.error(summary(state))
            return .configuration
        }
        let code = say(state)
        guard session.arguments.has(.estimate), code == .ok else { return code }
        return try estimate()
    }

    private func say(_ state: ConfigurationReportState) -> ExitCode {
        guard !session.arguments.isQuiet else { return .ok }
        let warnings = state.warningCount == 0 ? "" : ", \(count(state.warningCount, "warning"))"
        return StandardStream.output(Array("\(name) is valid\(warnings)\n".utf8))
    }

    private func estimate() throws(SondeError) -> ExitCode {
        let (loaded, catalog) = session.load()
        guard let configuration = loaded.configuration else { return .configuration }
        let log = session.log(for: configuration.agent)
        let collection = OnceCollection(AppContainer(configuration: configuration, catalog: catalog, log: log))
        let (entries, code) = try collection.collect()
        let health = collection.addHealth(entries)
        guard let batch = collection.newest() else { return .failure }
        let estimate = EstimateDelivery(batch, health: health, configuration)
        let failing = Set(entries.filter { $0.current.isFailing }.map(\.current.id))
        let sources = try configuration.sources.map { (source) throws(SondeError) in
            let descriptor = try catalog.plugin(of: source, kind: .source).descriptor
            return estimate(source, descriptor, isFailing: failing.contains(source.id))
        }
        let sinks = try configuration.sinks.map { (sink) throws(SondeError) in
            estimate(sink, try catalog.plugin(of: sink, kind: .sink).descriptor)
        }
        let shown = StandardStream.output(Array(("\n" + EstimateView.text(sources + [estimate.agent], sinks)).utf8))
        return shown == .ok ? code : shown
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
