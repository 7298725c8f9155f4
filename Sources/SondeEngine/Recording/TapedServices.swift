public import SondeDomain

/// The services of a source that is recorded or replayed: another clock, and a tape.
public final class TapedServices: SourceServices {
    /// What becomes of commits.
    public enum Commits: Sendable {
        /// They go on.
        case passed
        /// They end here: the readings are what is wanted.
        case dropped
    }

    /// The clock of the source.
    public let clock: any Clock
    /// What it reads from outside.
    public let tape: (any InputTape)?
    private let channel: any SourceServices
    private let commits: Commits

    /// Services of `channel` but for the clock and the tape.
    public init(_ channel: any SourceServices, clock: any Clock, tape: any InputTape, commits: Commits) {
        self.channel = channel
        self.clock = clock
        self.tape = tape
        self.commits = commits
    }

    /// Writes to the log.
    public func log(_ level: LogLevel, _ message: String) { channel.log(level, message) }

    /// Records a loss.
    public func reportLoss(_ loss: Loss) { channel.reportLoss(loss) }

    /// Reports that a part fails.
    public func reportTrouble(_ error: SondeError, since: Timestamp?) -> Bool {
        channel.reportTrouble(error, since: since)
    }

    /// Reports that it works again.
    public func clearTrouble(_ code: ErrorCode, optionPath: String?) {
        channel.clearTrouble(code, optionPath: optionPath)
    }

    /// Opens a series.
    public func openSeries(_ series: SeriesSpecification) -> UInt64 { channel.openSeries(series) }

    /// Closes a series.
    public func closeSeries(_ handle: UInt64) { channel.closeSeries(handle) }

    /// Takes samples.
    public func commit(_ samples: [Sample], checkpoint: [UInt8]?, rejections: [SampleRejection]) -> CommitResult {
        switch commits {
        case .dropped: .taken
        // A replay begins without checkpoints, as its recording did.
        case .passed: channel.commit(samples, checkpoint: nil, rejections: rejections)
        }
    }

    /// None: a recording does not depend on what an agent has read before.
    public func loadCheckpoint() -> [UInt8]? { nil }

    /// Requests ticks.
    public func requestTick(every period: Nanoseconds) -> Bool { channel.requestTick(every: period) }
}
