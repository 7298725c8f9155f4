public import SondeDomain
internal import Synchronization

/// Takes the reports of one instance: lasting failures of a part, and what was rejected.
///
/// All of it is put into its status, and the first of each kind into the log.
///
/// May be called from any thread.
public final class InstanceReports: Sendable {
    private let id: String
    private let entry: StatusEntry
    private let eventLog: any EventLog
    private let clock: any Clock

    /// Reports of the source or sink of that `id`; `entry` nil: they are only logged.
    public init(id: String, entry: StatusEntry?, log: any EventLog, clock: any Clock) {
        self.id = id
        self.entry = entry ?? StatusEntry(id: id, plugin: "", kind: .source, at: clock.monotonicTime)
        eventLog = log
        self.clock = clock
    }

    /// What was rejected so far.
    public var rejections: RejectionCounts { entry.current.rejections }

    /// A part of the instance fails since that wall time, while the rest works.
    ///
    /// Reported again it is replaced. False when there are ``InstanceStatus/troubleBound`` others.
    public func reportTrouble(_ error: SondeError, since: Timestamp?) -> Bool {
        let now = clock.monotonicTime
        // After the wall clock was set no time is in the future.
        let age = since.map {
            max(0, clock.wallTime.nanoseconds.subtractingReportingOverflow($0.nanoseconds).partialValue)
        }
        let begin = MonotonicInstant(nanoseconds: max(0, now.nanoseconds &- (age ?? 0)))
        let answer = entry.change { $0.reportTrouble(error, since: begin, at: now) }
        if answer == .new { eventLog.log(.error, error) }
        return answer != .full
    }

    /// The part works again.
    public func clearTrouble(_ code: ErrorCode, optionPath: String?) {
        guard entry.change({ $0.clearTrouble(code, optionPath: optionPath) }) else { return }
        let part = optionPath.map { " of option '\($0)'" } ?? ""
        eventLog.log(.info, "recovered from \(code)\(part)", component: id)
    }

    /// Something was rejected.
    public func reject(_ subject: RejectionCounts.Subject, metric: String, reason: String, count: UInt64 = 1) {
        let key = RejectionCounts.Key(subject, metric: metric, reason: reason)
        guard entry.change({ $0.rejections.add(key, count) }) else { return }
        let what = metric.isEmpty ? "" : " of metric '\(metric)'"
        let code: ErrorCode = subject == .point ? .pointRejected : .sampleRejected
        eventLog.log(
            .warning,
            SondeError(
                code,
                stage: .pipeline,
                class: subject == .point ? .permanentData : .programmer,
                message:
                    "\(count) \(subject.rawValue)\(what) rejected: \(reason); further ones are counted in the status",
                component: id
            )
        )
    }
}
