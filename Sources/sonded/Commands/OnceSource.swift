internal import SondeDomain
internal import SondeEngine
internal import SondeGateways

/// One source of `once`, in a separate thread: it begins at once, and collects a last time when it is stopped.
final class OnceSource {
    /// How long a collection is waited for at most, however long the interval is.
    private static let patience = Nanoseconds.seconds(10)
    /// How long a plugin may take to notice that it was cancelled.
    private static let grace = Nanoseconds.seconds(5)

    private let id: String
    private let patience: Nanoseconds
    private let control: InstanceControl
    let entry: StatusEntry
    private let runner: SourceRunner
    private var lastInstant = MonotonicInstant.distantFuture

    init(
        _ source: SourceConfiguration,
        _ container: AppContainer,
        _ pipeline: Pipeline,
        _ book: SnapshotBook
    ) throws(SondeError) {
        id = source.id
        patience = min(source.interval, Self.patience)
        control = try InstanceControl(component: source.id, log: container.log)
        let made = try container.makeSourceInstance(source, pipeline, listeners: .init(book: book))
        var source = source
        // A source that streams commits once per interval: with a long one it would commit nothing in this second.
        if made.instance.isStreaming { source.interval = min(source.interval, .milliseconds(500)) }
        entry = StatusEntry(id: source.id, plugin: source.plugin, kind: .source, at: container.clock.monotonicTime)
        let collector = container.makeCollector(source, made, control, entry: entry)
        runner = SourceRunner(id: source.id, useCase: collector, instance: made.instance, control: control)
    }

    func start() throws(SondeError) {
        try runner.start()
    }

    /// Requests the last collection.
    func stop(at now: MonotonicInstant) {
        lastInstant = now.advanced(by: patience)
        runner.stop(by: lastInstant)
    }

    /// Whether its last start or collection failed, which was logged.
    var isFailing: Bool { entry.current.failure.map { $0.ended == nil } ?? false }

    /// Waits until it has ended; throws when it does not, or only because it was cancelled.
    func waitForEnd() throws(SondeError) {
        guard !runner.join(by: lastInstant) else { return }
        control.cancel.cancel()
        let hasEnded = runner.join(by: lastInstant.advanced(by: Self.grace))
        let end = hasEnded ? "does not end within \(patience.seconds) s and was cancelled" : "does not return"
        let error = SondeError(
            .callHangs,
            stage: .collect,
            class: .transient,
            message: "a call into this plugin \(end); what it would have brought is missing",
            recovery: [.advise("Report it to the plugin's author.")],
            component: id
        )
        entry.update { $0.fail(error, at: lastInstant) }
        throw error
    }
}
