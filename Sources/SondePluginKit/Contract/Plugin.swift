public import SondeDomain

/// What every plugin is: a description, and instances made from a configuration.
///
/// One instance has one thread; its calls never overlap. Keep no global mutable state: two instances may run at once.
public protocol Plugin: AnyObject {
    /// The plugin's description of itself.
    static var descriptor: PluginDescriptor { get }

    /// Validates the options and makes an instance, without side effects: `sonde check` calls it.
    init(host: PluginHost) throws(PluginError)

    /// Opens what the instance needs. Called again after a backoff when it throws.
    func start() throws(PluginError)
}

extension Plugin {
    /// Opens nothing.
    public func start() throws(PluginError) {}
}

/// A source that the scheduler asks once per interval.
public protocol Source: Plugin {
    /// Reads everything once and commits it.
    func collect(_ call: PluginCall) throws(PluginError)
}

/// A polled source that also samples between collections.
///
/// Turn it on with ``PluginHost/requestTick(every:)``.
public protocol TickingSource: Source {
    /// Takes one reading and commits nothing; returns in well under a millisecond.
    func tick(_ call: PluginCall) throws(PluginError)
}

/// A source with its own loop.
public protocol StreamingSource: Plugin {
    /// Streams until the call is cancelled, commits once per interval and a last time before it returns.
    func run(_ call: PluginCall) throws(PluginError)
}

/// A plugin that delivers batches.
public protocol Sink: Plugin {
    /// Delivers one batch whole. Throwing means that the same stretch is offered again.
    func deliver(_ batch: Batch, _ call: PluginCall) throws(PluginError) -> Delivery
}

/// A sink that serves between deliveries, such as one that is scraped.
public protocol ServingSink: Sink {
    /// Serves until the cancel descriptor is readable, which it is when there is something to deliver, and at the stop.
    ///
    /// Called again after each delivery, on the same thread: the two never overlap.
    func run(_ call: PluginCall) throws(PluginError)
}

/// A sink that can check whether it reaches its receiver without sending anything.
public protocol ProbingSink: Sink {
    /// Connects as the first delivery would and sends nothing; throws what a delivery would fail with.
    ///
    /// Called on an instance that is not started, while another one of the same configuration may deliver.
    func probe(_ call: PluginCall) throws(PluginError)
}

/// A plugin that can read a file offline.
public protocol Inspector: Plugin {
    /// Reads one file and writes what it found.
    func inspect(_ file: Inspection, _ call: PluginCall) throws(PluginError)
}
