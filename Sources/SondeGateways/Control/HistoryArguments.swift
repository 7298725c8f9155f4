internal import SondeDomain
internal import SondeEngine
internal import SondeFormats

/// The arguments of a request about history.
struct HistoryArguments {
    private let arguments: ControlArguments
    private let after: JSONValue?
    private let now: Timestamp

    init(_ request: JSONValue, at now: Timestamp) {
        arguments = ControlArguments(request)
        after = request["after"]
        // Pages have it in milliseconds: all of them have to be of the same instant.
        self.now = Timestamp(nanoseconds: now.nanoseconds / 1_000_000 * 1_000_000)
    }

    /// The query, with the time of its first page.
    func query() throws(SondeError) -> HistoryQuery {
        // A request for a later page has the time of the first, so that all have points of one step.
        let asked = try after.flatMap(ControlArguments.init)?.instant("asked") ?? now
        guard asked <= now else { throw ControlArguments.wrong("'asked' lies in the future") }
        return HistoryQuery(
            metrics: try metrics(),
            member: try arguments.text("member"),
            source: try arguments.text("source"),
            range: try range(asked),
            resolution: try arguments.duration("resolution"),
            asked: asked
        )
    }

    /// The series after which the answer continues; nil: it begins.
    func lastSeries() throws(SondeError) -> HistorySeries? {
        guard let after else { return nil }
        let place = ControlArguments(after)
        guard let metric = HistoryMetric(rawValue: try place.requiredText("metric")) else {
            throw ControlArguments.wrong("'after' names no metric")
        }
        return HistorySeries(metric, member: try place.text("member"), source: try place.requiredText("source"))
    }

    /// Where an export continues; nil: it begins.
    func cursor() throws(SondeError) -> ExportHistory.Cursor? {
        guard let after, let series = try lastSeries() else { return nil }
        let place = ControlArguments(after)
        let statistic = try place.text("statistic")
        return ExportHistory.Cursor(
            series: series,
            statistic: statistic.flatMap(HistoryStatistic.init(rawValue:)),
            family: try place.text("family") ?? "",
            hasPoints: try place.flag("points")
        )
    }

    /// The format of an export.
    func format() throws(SondeError) -> HistoryFormat {
        let word = try arguments.requiredText("format")
        guard let format = HistoryFormat(rawValue: word) else {
            let known = HistoryFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw ControlArguments.wrong("'format' is none of \(known)")
        }
        return format
    }

    private func metrics() throws(SondeError) -> [HistoryMetric] {
        guard let word = try arguments.text("metric") else { return [] }
        let metrics = HistoryMetric.named(word)
        guard metrics.isEmpty else { return metrics }
        let known = (HistoryMetric.groups + HistoryMetric.allCases.map(\.rawValue)).joined(separator: ", ")
        throw ControlArguments.wrong("there is no metric '\(word.prefix(64))'; there are: \(known)")
    }

    private func range(_ asked: Timestamp) throws(SondeError) -> HistoryRange {
        let (from, to) = (try arguments.instant("from"), try arguments.instant("to"))
        guard let length = try arguments.duration("range") else {
            let standard = HistoryRange(HistoryTier.hour.window, before: to ?? asked)
            // A range in the future without an end is empty, not reversed.
            let range = HistoryRange(from: from ?? standard.from, to: to ?? max(asked, from ?? asked))
            guard !range.isReversed else { throw ControlArguments.wrong("'to' is before 'from'") }
            return range
        }
        guard from == nil else { throw ControlArguments.wrong("'range' and 'from' cannot both be given") }
        return HistoryRange(length, before: to ?? asked)
    }
}

extension HistorySeries {
    /// Writes the members for requesting a later page.
    func writePlace(to json: inout JSONWriter, asked: Timestamp) {
        json.member("asked", time: asked)
        json.member("metric", metric.rawValue)
        if let member { json.member("member", member) }
        json.member("source", source)
    }
}
