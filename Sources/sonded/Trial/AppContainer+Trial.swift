internal import SondeDomain
internal import SondeEngine
internal import SondeGateways

/// Instances before the agent, as part of the composition root.
extension AppContainer {
    /// Makes the instances with these ids, nil: all: each plugin validates its own options.
    ///
    /// Every failure is kept, and the instances are kept for the agent.
    func tryInstances(of ids: Set<String>? = nil) -> (failures: [SondeError], made: MadeInstances) {
        let made = MadeInstances()
        let pipeline = Pipeline(spool: spools.memory().store, ledger: ledger, clock: clock)
        let sinks = configuration.sinks.filter { ids?.contains($0.id) ?? true }
        let sources = configuration.sources.filter { ids?.contains($0.id) ?? true }
        let failures = sinks.flatMap { trySink($0, made) } + sources.flatMap { trySource($0, pipeline, made) }
        return (failures, made)
    }

    private func trySink(_ sink: SinkConfiguration, _ made: MadeInstances) -> [SondeError] {
        OptionTrial(sink, kind: .sink, catalog: catalog).failures { (plugin, options) throws(SondeError) in
            let services = SinkServicesRelay(makeServices(sink.id))
            made.keep((try plugin.makeSink(id: sink.id, options: options, services: services), services), sink.id)
        }
    }

    private func trySource(
        _ source: SourceConfiguration,
        _ pipeline: Pipeline,
        _ made: MadeInstances
    ) -> [SondeError] {
        OptionTrial(source, kind: .source, catalog: catalog).failures { (plugin, options) throws(SondeError) in
            let services = SourceServicesRelay(makeChannel(source, plugin, pipeline))
            made.keep(
                (try plugin.makeSource(id: source.id, options: options, services: services), services), source.id)
        }
    }
}
