public import SondeDomain

/// The context of one call into a plugin.
public struct CallConditions: Sendable {
    /// How long the plugin contract gives create, start and destroy each.
    public static let setupLimit = Nanoseconds.seconds(10)

    /// A descriptor that becomes readable when the call should end soon.
    public var cancelDescriptor: Int32
    /// When the call should have returned.
    public var deadline: MonotonicInstant
    /// The wall time of the tick.
    public var time: Timestamp
    /// Sources: the configured interval.
    public var interval: Nanoseconds
    /// Whether it is the last call before the stop.
    public var isFinal: Bool

    /// Conditions.
    public init(
        cancelDescriptor: Int32,
        deadline: MonotonicInstant,
        time: Timestamp,
        interval: Nanoseconds,
        isFinal: Bool = false
    ) {
        self.cancelDescriptor = cancelDescriptor
        self.deadline = deadline
        self.time = time
        self.interval = interval
        self.isFinal = isFinal
    }
}

/// How a call into a plugin ended without failure.
public enum CallOutcome: Hashable, Sendable {
    /// It completed.
    case completed
    /// It ended early because it was cancelled.
    case cancelled
}

/// One instance of a source plugin.
///
/// Calls never overlap; they may come from different threads one after another.
public protocol SourceInstance: AnyObject {
    /// Whether it streams (`run`) instead of being polled (`collect`).
    var isStreaming: Bool { get }
    /// Whether it offers `tick`.
    var offersTick: Bool { get }
    /// Opens its resources; may be called again after a failure.
    func start() throws(SondeError)
    /// Reads everything once and commits it.
    func collect(_ call: CallConditions) throws(SondeError) -> CallOutcome
    /// Streams until cancelled.
    func run(_ call: CallConditions) throws(SondeError) -> CallOutcome
    /// Takes one reading between collections.
    func tick(_ call: CallConditions) throws(SondeError) -> CallOutcome
    /// Frees it. No call follows.
    func close()
    /// Its own process; nil: it runs in the agent's, where a hanging call can be abandoned but not ended.
    var process: (any InstanceProcess)? { get }
    /// Whether it is as ``start()`` has left it; false: its process has ended, and the next start makes another one.
    var isOpen: Bool { get }
}

extension SourceInstance {
    /// Most run in the agent's process.
    public var process: (any InstanceProcess)? { nil }
    /// Which does not end before them.
    public var isOpen: Bool { true }
}

/// A receiver's answer to a batch.
public enum DeliveryOutcome: Hashable, Sendable {
    /// It accepted the batch, except `rejectedPoints` that it rejected for the reason given.
    case delivered(rejectedPoints: UInt64, reason: String)
    /// The call ended early because it was cancelled: the same stretch is offered again.
    case cancelled
}

/// What a sink is sent.
public struct SendContent: OptionSet, Hashable, Sendable {
    /// The contract's mask.
    public let rawValue: UInt32
    /// Metric points.
    public static let metrics = SendContent(rawValue: 1)
    /// Domain snapshots.
    public static let snapshots = SendContent(rawValue: 2)

    /// Content from the contract's mask.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

/// One instance of a sink plugin.
///
/// Calls never overlap; they may come from different threads one after another.
public protocol SinkInstance: AnyObject {
    /// What to send when the configuration sets nothing.
    var preferredContent: SendContent { get }
    /// Whether it serves between deliveries.
    var isServing: Bool { get }
    /// Serves until the cancel descriptor is readable.
    func serve(_ call: CallConditions) throws(SondeError) -> CallOutcome
    /// Opens its resources; may be called again after a failure.
    func start() throws(SondeError)
    /// Delivers one batch whole.
    func deliver(_ batch: Batch, _ call: CallConditions) throws(SondeError) -> DeliveryOutcome
    /// Connects as a delivery would and sends nothing; throws what a delivery would fail with.
    ///
    /// Called on an instance that is not started.
    func probe(_ call: CallConditions) throws(SondeError) -> ProbeOutcome
    /// Frees it. No call follows.
    func close()
    /// Its own process; nil: it runs in the agent's, where a hanging call can be abandoned but not ended.
    var process: (any InstanceProcess)? { get }
}

/// What is known of a sink's receiver without a delivery.
public enum ProbeOutcome: Hashable, Sendable {
    /// A delivery would reach it.
    case reached
    /// The call ended early because it was cancelled.
    case cancelled
    /// Nothing: the plugin offers no probe.
    case notOffered
}

extension SinkInstance {
    /// Most run in the agent's process.
    public var process: (any InstanceProcess)? { nil }

    /// Some plugins only find out by delivering.
    public func probe(_ call: CallConditions) throws(SondeError) -> ProbeOutcome { .notOffered }

    /// Most sinks only deliver.
    public var isServing: Bool { false }

    /// Nothing: it does not serve.
    public func serve(_ call: CallConditions) throws(SondeError) -> CallOutcome { .completed }
}
