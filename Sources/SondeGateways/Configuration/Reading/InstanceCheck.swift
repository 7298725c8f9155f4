internal import SondeDomain
internal import SondeEngine

/// Finds what does not fit together in one entry, between its plugin's options and the agent's own keys.
struct InstanceCheck {
    let reading: ConfigurationReading

    /// Checks enabled sources and sinks.
    func check(_ configuration: AgentConfiguration) {
        for source in configuration.sources { checkTimeout(source) }
        for sink in configuration.sinks { checkStandardOutput(sink) }
    }

    /// A run is killed when its interval is over, whatever its timeout says.
    private func checkTimeout(_ source: SourceConfiguration) {
        guard source.plugin == "exec", case .duration(let timeout)? = source.options.values["timeout"],
            timeout > source.interval
        else { return }
        reading.report(
            .outOfRange, at: source.options.mark(for: "timeout") ?? reading.start,
            "'timeout' must not be longer than the interval, \(DurationText.text(of: source.interval))",
            suggestion: "lower it, or raise 'interval'")
    }

    /// In a process of its own standard output is a pipe into the agent's log, which takes a few lines and drops the rest.
    private func checkStandardOutput(_ sink: SinkConfiguration) {
        guard sink.plugin == "stdout", sink.isolation == .process else { return }
        reading.report(
            .unknownChoice, at: sink.options.mark(for: "isolation") ?? reading.start,
            "'isolation' of a sink 'stdout' must be in_process: in a process of its own, standard output is the "
                + "agent's log",
            suggestion: "remove it")
    }
}
