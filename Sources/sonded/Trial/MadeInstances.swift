internal import SondeEngine

/// Instances that were made to ask plugins about their options, kept for the agent that they are meant for.
///
/// What nobody takes is freed with this object. Used from one thread at a time.
final class MadeInstances {
    /// A source, and what stands between it and the services that it gets.
    typealias MadeSource = (instance: any SourceInstance, services: SourceServicesRelay)
    /// A sink, and what stands between it and the services that it gets.
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
