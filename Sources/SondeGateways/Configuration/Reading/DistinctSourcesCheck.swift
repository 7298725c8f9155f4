internal import SondeDomain
internal import SondeEngine

/// Warns of sources whose series cannot be distinguished: points have labels and attributes, but no source id.
struct DistinctSourcesCheck {
    private struct Likeness: Hashable {
        let plugin: String
        let labels: Set<Attribute>
        /// Of the source `exec`: other programs have other metrics.
        let command: OptionValues.Value?
    }

    let reading: ConfigurationReading

    /// Checks enabled sources, in their order.
    func check(_ configuration: AgentConfiguration) {
        var known: [Likeness: String] = [:]
        for source in configuration.sources {
            let likeness = Likeness(
                plugin: source.plugin, labels: source.effectiveLabels(configuration.agent),
                command: source.options.values["command"])
            guard let other = known[likeness] else {
                known[likeness] = source.id
                continue
            }
            warn(of: source, other)
        }
    }

    private func warn(of source: SourceConfiguration, _ other: String) {
        // For a duplicate id another problem is reported.
        guard source.id != other else { return }
        reading.report(
            ConfigurationProblem(
                .indistinctSources, at: source.marks[""] ?? reading.start,
                "sources \(Shown.text(other)) and \(Shown.text(source.id)) are of one plugin (\(source.plugin)) and "
                    + "have the same labels: receivers cannot distinguish their series",
                suggestion: "give each its own label, like labels: { part: \(source.id) }", severity: .warning))
    }
}
