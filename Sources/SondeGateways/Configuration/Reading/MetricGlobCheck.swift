internal import SondeDomain
internal import SondeEngine

/// Warns of globs over metrics that match none: of all that the plugins of enabled sources describe and the agent adds.
struct MetricGlobCheck {
    let reading: ConfigurationReading
    let catalog: any PluginCatalog

    /// Checks enabled sinks; not if a source's plugin is not known or does not describe its metrics.
    func check(_ configuration: AgentConfiguration) {
        guard configuration.sinks.contains(where: { $0.metrics != SinkConfiguration.MetricFilter() }) else { return }
        var names = AgentCatalog.metrics.map(\.name)
        for source in configuration.sources {
            let plugin = try? catalog.plugin(named: source.plugin, kind: .source, isolation: source.isolation)
            guard let plugin, !plugin.descriptor.metrics.isEmpty else { return }
            names += plugin.descriptor.metrics.map(\.name)
        }
        for sink in configuration.sinks {
            check(sink.metrics.include, "metrics.include", of: sink, names)
            check(sink.metrics.exclude, "metrics.exclude", of: sink, names)
        }
    }

    private func check(_ globs: [String], _ key: String, of sink: SinkConfiguration, _ names: [String]) {
        for (index, glob) in globs.enumerated() where !glob.isEmpty {
            let filter = GlobFilter(include: [glob], exclude: [])
            guard !reading.isFull, !names.contains(where: filter.passes) else { continue }
            let near = Vocabulary(names).nearest(to: glob)
            reading.report(
                ConfigurationProblem(
                    .unmatchedGlob, at: sink.marks["\(key)[\(index)]"] ?? sink.marks[""] ?? reading.start,
                    "\(Shown.text(glob)) in \(Shown.text(key)) matches no metric of the enabled sources",
                    suggestion: near.map { "did you mean \(Shown.text($0))?" }, severity: .warning))
        }
    }
}
