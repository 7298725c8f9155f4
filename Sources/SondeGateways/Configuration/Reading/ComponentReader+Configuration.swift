import SondeDomain
import SondeEngine

extension ComponentReader.Component {
    /// The entry as a source of an agent; labels are checked.
    func source(of agent: AgentSettings, _ reading: ConfigurationReading) -> SourceConfiguration {
        LabelCheck(reading: reading).check(common, "labels")
        var source = SourceConfiguration(id: id, plugin: plugin, interval: agent.interval, options: options)
        source.set(common.read)
        return source
    }

    /// The entry as a sink; constraints between its keys are checked.
    func sink(_ reading: ConfigurationReading) -> SinkConfiguration {
        var sink = SinkConfiguration(id: id, plugin: plugin, options: options)
        sink.set(common.read)
        checkRetry(sink.retry, reading)
        checkSend(reading)
        LabelCheck(reading: reading).checkGlobs(common, "metrics.include")
        LabelCheck(reading: reading).checkGlobs(common, "metrics.exclude")
        LabelCheck(reading: reading).checkGlobs(common, "relabel.remove")
        LabelCheck(reading: reading).check(common, "relabel.add")
        return sink
    }

    private func checkRetry(_ retry: SinkConfiguration.RetryLimits, _ reading: ConfigurationReading) {
        guard retry.cap < retry.base else { return }
        let mark = common.marks["retry.cap"] ?? common.marks["retry.base"] ?? common.ownerMark
        reading.report(
            .outOfRange, at: mark,
            "'retry.cap' (\(DurationText.text(of: retry.cap))) is shorter than 'retry.base' "
                + "(\(DurationText.text(of: retry.base)))")
    }

    private func checkSend(_ reading: ConfigurationReading) {
        guard case .list(let words)? = common.values["send"] else { return }
        let known = ConfigurationSchema.sendWords.map(\.word)
        for (index, word) in words.enumerated() where !known.contains(word) {
            let near = Vocabulary(known).nearest(to: word)
            reading.report(
                .unknownChoice, at: common.marks["send[\(index)]"] ?? common.ownerMark,
                "'send' takes \(Shown.list(known)), not \(Shown.text(word))",
                suggestion: near.map { "did you mean \(Shown.text($0))?" })
        }
        guard words.isEmpty else { return }
        reading.report(
            .missingValue, at: common.marks["send"] ?? common.ownerMark, "'send' is empty",
            suggestion: "write [metrics], [snapshots] or both, or set 'enabled: false'")
    }
}
