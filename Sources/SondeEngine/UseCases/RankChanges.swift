public import SondeDomain
internal import Synchronization

/// Ranks what has moved from its own history, within a range that ends now.
///
/// Reads the history when it is asked, and does nothing otherwise. Answers of the same minute are made once. May be called
/// from any thread; calls wait for a disk, and for each other.
public final class RankChanges: Sendable {
    /// The shortest range.
    public static let shortestRange = Nanoseconds.seconds(300)
    /// The longest range.
    public static let longestRange = Nanoseconds.seconds(86_400)

    /// How long a series may be silent before it counts as ended.
    private static let silence = Nanoseconds.seconds(300)
    private static let minute = Nanoseconds.seconds(60)
    /// Beyond it the steps that are kept are two minutes long.
    private static let longestInMinutes = HistoryTier.sixHours.window
    /// How many series are read before others may read or write.
    private static let seriesAtOnce = 8
    private static let keptAnswers = 4

    private struct Question: Hashable {
        var range: HistoryRange
        var reference: HistoryChanges.Reference
    }

    private let record: RecordHistory
    private let answers = Mutex<[Question: HistoryChanges]>([:])

    /// A use case for what `record` keeps.
    public init(_ record: RecordHistory) {
        self.record = record
    }

    /// What has moved within a range of `length`, which is made whole minutes and kept within its bounds, before `now`.
    public func callAsFunction(
        _ length: Nanoseconds,
        against reference: HistoryChanges.Reference,
        at now: Timestamp
    ) throws(SondeError) -> HistoryChanges {
        let wanted = min(max(length, Self.shortestRange), Self.longestRange)
        let step = wanted > Self.longestInMinutes ? HistoryTier.day.step : Self.minute
        let end = Timestamp(nanoseconds: now.nanoseconds - now.nanoseconds % step.value)
        let range = HistoryRange(step * (wanted.value / step.value), before: end)
        let question = Question(range: range, reference: reference)
        return try answers.withLock { (answers) throws(SondeError) -> HistoryChanges in
            if let answer = answers[question] { return answer }
            let oldest = HistoryRange(HistoryTier.day.step, before: end).from
            answers = answers.filter { $0.key.range.to >= oldest }
            if answers.count >= Self.keptAnswers { answers = [:] }
            let answer = try rank(question)
            answers[question] = answer
            return answer
        }
    }

    private func rank(_ question: Question) throws(SondeError) -> HistoryChanges {
        guard let look = ChangeLook(question.range, question.reference) else {
            return ChangeVerdicts().changes(question.range, question.reference, step: Self.minute)
        }
        var verdicts = ChangeVerdicts()
        let all = try record.read { (reading) throws(SondeError) -> [HistorySeries] in reading.series }
        var rest = all[...]
        while !rest.isEmpty {
            let some = rest.prefix(Self.seriesAtOnce)
            rest = rest.dropFirst(some.count)
            try record.read { (reading) throws(SondeError) -> Void in
                for series in some { verdicts.add(try look.evidence(of: series, in: reading), of: series) }
            }
        }
        return verdicts.changes(question.range, question.reference, step: look.plan.step, silence: Self.silence)
    }
}
