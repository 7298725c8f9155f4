import SondeDomain
import SondeEngine

extension ComponentReader.Component {
    /// The entry as a source; labels are checked.
    func source(defaultInterval: Nanoseconds, _ reading: ConfigurationReading) -> SourceConfiguration {
        LabelCheck(reading: reading).check(common, "labels")
        var source = SourceConfiguration(
            id: id,
            plugin: plugin,
            interval: common.values.duration("interval") ?? defaultInterval,
            labels: common.values.map("labels"),
            options: options
        )
        source.seriesLimit = common.values.integer("series_limit").flatMap { Int(exactly: $0) }
        source.marks = common.marks
        return source
    }

    /// The entry as a sink; what its keys say of each other is checked.
    func sink(_ reading: ConfigurationReading) -> SinkConfiguration {
        let values = common.values
        var sink = SinkConfiguration(id: id, plugin: plugin, options: options)
        sink.marks = common.marks
        sink.batch.samples = values.integer("batch.samples").flatMap { Int(exactly: $0) } ?? sink.batch.samples
        sink.batch.bytes = values.integer("batch.bytes") ?? sink.batch.bytes
        sink.batch.wait = values.duration("batch.wait")
        sink.retry.base = values.duration("retry.base") ?? sink.retry.base
        sink.retry.cap = values.duration("retry.cap") ?? sink.retry.cap
        let policy = values.string("on_auth_error").flatMap(SinkConfiguration.AccessPolicy.init)
        sink.onAuthError = policy ?? sink.onAuthError
        sink.deadLetterMaxBytes = values.integer("dead_letter.max_bytes") ?? sink.deadLetterMaxBytes
        sink.send = values["send"] == nil ? nil : content(values.list("send"), reading)
        sink.metrics.include = values.list("metrics.include")
        sink.metrics.exclude = values.list("metrics.exclude")
        checkRetry(sink.retry, reading)
        LabelCheck(reading: reading).checkGlobs(common, "metrics.include")
        LabelCheck(reading: reading).checkGlobs(common, "metrics.exclude")
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

    private func content(_ words: [String], _ reading: ConfigurationReading) -> SendContent {
        let known = ConfigurationSchema.sendWords.map(\.word)
        var content = SendContent()
        for (index, word) in words.enumerated() {
            if let match = ConfigurationSchema.sendWords.first(where: { $0.word == word }) {
                content.insert(match.content)
                continue
            }
            let near = Vocabulary(known).nearest(to: word)
            reading.report(
                .unknownChoice, at: common.marks["send[\(index)]"] ?? common.ownerMark,
                "'send' takes \(Shown.list(known)), not \(Shown.text(word))",
                suggestion: near.map { "did you mean \(Shown.text($0))?" })
        }
        if words.isEmpty {
            reading.report(
                .missingValue, at: common.marks["send"] ?? common.ownerMark, "'send' is empty",
                suggestion: "write [metrics], [snapshots] or both, or set 'enabled: false'")
        }
        return content
    }
}
