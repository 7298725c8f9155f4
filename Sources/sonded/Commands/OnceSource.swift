internal import SondeDomain
internal import SondeEngine
internal import SondeGateways

/// One source of `once`: collected from on the main thread, or streaming in a thread of its own.
final class OnceSource {
    let collector: CollectSource
    private let instance: any SourceInstance
    private let control: InstanceControl
    private let runner: SourceRunner

    init(
        _ source: SourceConfiguration,
        _ container: AppContainer,
        _ pipeline: Pipeline,
        _ book: SnapshotBook
    ) throws(SondeError) {
        // A source that streams commits once per interval: with a long one it would bring nothing in this second.
        var source = source
        source.interval = min(source.interval, .milliseconds(500))
        control = try InstanceControl(component: source.id, log: container.log)
        let made = try container.makeSourceInstance(source, pipeline, listeners: .init(book: book))
        instance = made.instance
        collector = container.makeCollector(source, made, control)
        runner = SourceRunner(id: source.id, useCase: collector, instance: instance, control: control)
    }

    var isStreaming: Bool { instance.isStreaming }

    func startStreaming() throws(SondeError) {
        try runner.start()
    }

    func stopStreaming(by instant: MonotonicInstant) {
        runner.stop(by: instant)
        runner.join()
    }

    func close() {
        instance.close()
    }
}
