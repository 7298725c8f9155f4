public import SondeDomain

/// What the engine does for any plugin instance.
public protocol PluginServices: AnyObject, Sendable {
    /// The clocks.
    var clock: any Clock { get }
    /// Writes one line to the agent's log. May be called from any thread.
    func log(_ level: LogLevel, _ message: String)
    /// Enters a loss into the ledger.
    func reportLoss(_ loss: Loss)
    /// Says that a part of the instance does not work while the rest goes on, since when, until it is cleared.
    ///
    /// False when the instance has too many already.
    func reportTrouble(_ error: SondeError, since: Timestamp?) -> Bool
    /// Says that the part works again.
    func clearTrouble(_ code: ErrorCode, optionPath: String?)
}

/// What the engine does for a sink instance.
///
/// Called from the thread that is inside a call of the instance.
public protocol SinkServices: PluginServices {
    /// What a metric tells, in one sentence; empty when no source says.
    func meaning(of metric: String) -> String
    /// Counts a point that the receiver took out of a batch, for this reason.
    func reject(pointOf metric: String, reason: String)
}

/// What a commit came to.
public enum CommitResult: Hashable, Sendable {
    /// All of it was taken.
    case taken
    /// Nothing was taken: try again a little later.
    case busy
    /// Nothing was taken and nothing will be any more.
    case stopping
}

/// What the engine does for a source instance.
///
/// Called from the thread that is inside a call of the instance.
public protocol SourceServices: PluginServices {
    /// Opens a series; 0 when the bound on open series is reached or the specification is malformed.
    func openSeries(_ series: SeriesSpecification) -> UInt64
    /// Closes a series whose thing is gone.
    func closeSeries(_ handle: UInt64)
    /// Takes samples and a checkpoint as one whole, or nothing.
    ///
    /// `rejections` are the samples of the commit that could not be read: they are counted and reported, not taken.
    func commit(_ samples: [Sample], checkpoint: [UInt8]?, rejections: [SampleRejection]) -> CommitResult
    /// The last checkpoint that was committed and survived.
    func loadCheckpoint() -> [UInt8]?
    /// Asks for ticks between collections; zero turns them off. False when refused.
    func requestTick(every period: Nanoseconds) -> Bool
}
