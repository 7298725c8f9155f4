public import SondeDomain

/// What the engine does for any plugin instance.
public protocol PluginServices: AnyObject, Sendable {
    /// The clocks.
    var clock: any Clock { get }
    /// Writes one line to the agent's log. May be called from any thread.
    func log(_ level: LogLevel, _ message: String)
    /// Enters a loss into the ledger.
    func reportLoss(_ loss: Loss)
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
    /// `invalid` counts samples that could not be read (unknown type, not a number): they are reported, not taken.
    func commit(_ samples: [Sample], checkpoint: [UInt8]?, invalid: Int) -> CommitResult
    /// The last checkpoint that was committed and survived.
    func loadCheckpoint() -> [UInt8]?
    /// Asks for ticks between collections; zero turns them off. False when refused.
    func requestTick(every period: Nanoseconds) -> Bool
}
