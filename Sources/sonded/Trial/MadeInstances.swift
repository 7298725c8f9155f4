internal import SondeEngine

/// Instances that were made to validate their options, kept for the agent.
///
/// What is not taken is freed with this object. Used from one thread at a time.
final class MadeInstances {
    /// A source, and the relay to its services.
    typealias MadeSource = (instance: any SourceInstance, services: SourceServicesRelay)
    /// A sink, and the relay to its services.
    typealias MadeSink = (instance: any SinkInstance, services: SinkServicesRelay)

    private var sources: [String: MadeSource] = [:]
    private var sinks: [String: MadeSink] = [:]

    deinit {
        for source in sources.values { source.instance.close() }
        for sink in sinks.values { sink.instance.close() }
    }

    /// Keeps the source of that id.
    func keep(_ source: MadeSource, _ id: String) { sources[id] = source }

    /// Keeps the sink of that id.
    func keep(_ sink: MadeSink, _ id: String) { sinks[id] = sink }

    /// The source of that id, once.
    func takeSource(_ id: String) -> MadeSource? { sources.removeValue(forKey: id) }

    /// The sink of that id, once.
    func takeSink(_ id: String) -> MadeSink? { sinks.removeValue(forKey: id) }
}
