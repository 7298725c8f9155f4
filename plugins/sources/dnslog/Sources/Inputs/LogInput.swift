internal import SondeDomain
internal import SondePluginKit

/// The input from a resolver: logs that are followed, or a socket.
///
/// One thread uses it: ``start(_:at:)`` once, then ``wait(_:until:at:)`` and ``read(into:at:)`` repeatedly, and at the
/// interval ``add(to:)`` and ``checkpoint(at:)``.
protocol LogInput: AnyObject {
    /// Opens what there is; `checkpoint` has how far it was read before.
    func start(_ checkpoint: [UInt8]?, at now: TailInstant) throws(PluginError)

    /// Waits until something may have come, `due` is there, or `cancel` becomes readable.
    func wait(_ cancel: Int32, until due: MonotonicInstant, at now: MonotonicInstant) -> Poll.Wake

    /// Hands on what has come, without waiting.
    func read(into pipeline: LogPipeline, at now: TailInstant)

    /// Whether lines come, rather than messages.
    var readsLines: Bool { get }

    /// The addresses that queries were sent to, as far as the input contains them.
    var resolvers: [ResolverAddress] { get }

    /// Whether everything that had come was handed on.
    var isDrained: Bool { get }

    /// What keeps anything from being read, so that a person should know; nil: something is read, or will be.
    var trouble: PluginError? { get }

    /// Adds the metrics of the reading itself.
    func add(to sheet: SampleSheet)

    /// How far everything handed on so far reaches.
    func checkpoint(at time: Timestamp) -> [UInt8]
}
