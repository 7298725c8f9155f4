internal import SondeDomain
internal import SondeEngine
internal import SondeGateways

/// Lets every source run for a second, and keeps what they commit: nothing is delivered.
///
/// A polled source collects at the beginning and at the end, so that rates exist.
struct OnceCollection {
    private static let pause = Nanoseconds.seconds(1)

    private let container: AppContainer
    private let opened: SpoolFactory.Opened
    private let pipeline: Pipeline
    private let once: CollectOnce

    init(_ container: AppContainer) {
        self.container = container
        opened = container.spools.memory()
        pipeline = Pipeline(spool: opened.store, ledger: container.ledger, clock: container.clock)
        once = CollectOnce(spool: opened.store, pipeline: pipeline)
    }

    /// Runs the sources; what fails is logged, and is why the code is another than `ok`.
    func collect() throws(SondeError) -> (entries: [StatusEntry], code: ExitCode) {
        let timer = try Timer()
        let book = SnapshotBook()
        let sources = try container.configuration.sources.map { (source) throws(SondeError) in
            try OnceSource(source, container, pipeline, book)
        }
        for source in sources { try source.start() }
        timer.arm(at: container.clock.monotonicTime.advanced(by: Self.pause))
        timer.wait()
        for source in sources { source.stop(at: container.clock.monotonicTime) }
        var code = ExitCode.ok
        for source in sources {
            do throws(SondeError) {
                try source.waitForEnd()
                if source.isFailing { code = .failure }
            } catch {
                container.log.log(.error, error)
                code = .failure
            }
        }
        return (sources.map(\.entry), code)
    }

    /// Adds what an agent with these sources, and the sinks of the configuration, counts of itself, and returns what it says of how it is now.
    func addHealth(_ sources: [StatusEntry]) -> [SpooledPoint] {
        let (clock, log) = (container.clock, container.log)
        let keep = KeepSpool(spool: opened.store, ledger: container.ledger, clock: clock, log: log)
        let board = container.makeBoard("", opened, keep, nil)
        for sink in container.configuration.sinks {
            opened.store.addReader(sink.id, .durable, wants: .metrics)
            let entry = StatusEntry(id: sink.id, plugin: sink.plugin, kind: .sink, at: clock.monotonicTime)
            entry.update { $0.enter(.idle, at: clock.monotonicTime) }
            board.admit(entry)
        }
        for source in sources { board.admit(source) }
        let health = container.makeHealth("0000000000000000", board, pipeline, nil, ChannelRegister())
        health()
        return health.newest
    }

    /// The newest point of each series; nil: there was none.
    func newest() -> Batch? { once.newest() }
}
