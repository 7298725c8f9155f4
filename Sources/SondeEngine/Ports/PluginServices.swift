public import SondeDomain

/// What the engine does for any plugin instance.
public protocol PluginServices: AnyObject, Sendable {
    /// The clocks.
    var clock: any Clock { get }
    /// Writes one line to the agent's log. May be called from any thread.
    func log(_ level: LogLevel, _ message: String)
    /// Records a loss in the ledger.
    func reportLoss(_ loss: Loss)
    /// Reports that a part of the instance fails while the rest works, and since when, until it is cleared.
    ///
    /// False when the instance has too many already.
    func reportTrouble(_ error: SondeError, since: Timestamp?) -> Bool
    /// Reports that the part works again.
    func clearTrouble(_ code: ErrorCode, optionPath: String?)
}

/// What the engine does for a sink instance.
///
/// Called from the thread that is inside a call of the instance.
public protocol SinkServices: PluginServices {
    /// What a metric measures, in one sentence; empty when no source says.
    func meaning(of metric: String) -> String
    /// Counts a point that the receiver rejected from a batch, for this reason.
    func reject(pointOf metric: String, reason: String)
}

/// The result of a commit.
public enum CommitResult: Hashable, Sendable {
    /// All of it was taken.
    case taken
    /// Nothing was taken: to be tried again a little later.
    case busy
    /// Nothing was taken, and no later commit will be.
    case stopping
}

/// What the engine does for a source instance.
///
/// Called from the thread that is inside a call of the instance.
public protocol SourceServices: PluginServices {
    /// Opens a series; 0 when the bound on open series is reached or the specification is malformed.
    func openSeries(_ series: SeriesSpecification) -> UInt64
    /// Closes a series whose object is gone.
    func closeSeries(_ handle: UInt64)
    /// Takes samples and a checkpoint atomically: all or nothing.
    ///
    /// `rejections` are the samples of the commit that could not be read: they are counted and reported, not taken.
    func commit(_ samples: [Sample], checkpoint: [UInt8]?, rejections: [SampleRejection]) -> CommitResult
    /// The last checkpoint that was committed and survived.
    func loadCheckpoint() -> [UInt8]?
    /// Requests ticks between collections; zero turns them off. False when refused.
    func requestTick(every period: Nanoseconds) -> Bool
    /// Where what it reads from outside is recorded, or comes from; nil, as usual: neither.
    var tape: (any InputTape)? { get }
}

extension SourceServices {
    /// A source of an agent reads its host.
    public var tape: (any InputTape)? { nil }
}
