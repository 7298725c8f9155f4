internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import SondeFormats
internal import SondeGateways
internal import SondePresentation

/// `once`: lets every source run for a second, and prints the newest of each series instead of delivering.
///
/// A polled source collects at the beginning and at the end, so that rates exist. Where one fails the others are
/// printed, and it exits with 1.
struct OnceCommand {
    private static let pause = Nanoseconds.seconds(1)

    let session: Session

    func run() -> ExitCode {
        do throws(SondeError) {
            guard let (configuration, catalog) = session.loadReporting() else { return .configuration }
            let log = session.log(for: configuration.agent)
            return try collect(AppContainer(configuration: configuration, catalog: catalog, log: log))
        } catch {
            session.startupLog.log(.error, error)
            return ExitCode(error)
        }
    }

    private func collect(_ container: AppContainer) throws(SondeError) -> ExitCode {
        let spool = container.spools.memory().store
        let pipeline = Pipeline(spool: spool, ledger: container.ledger, clock: container.clock)
        let once = CollectOnce(spool: spool, pipeline: pipeline)
        let timer = try Timer()
        let book = SnapshotBook()
        let sources = try container.configuration.sources.map { (source) throws(SondeError) in
            try OnceSource(source, container, pipeline, book)
        }
        for source in sources { try source.start() }
        timer.arm(at: session.clock.monotonicTime.advanced(by: Self.pause))
        timer.wait()
        for source in sources { source.stop(at: session.clock.monotonicTime) }
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
        guard let batch = once.newest() else { return .failure }
        let shown = show(batch)
        return shown == .ok ? code : shown
    }

    private func show(_ batch: Batch) -> ExitCode {
        var buffer = ByteBuffer()
        switch session.arguments.format {
        case .json:
            var encoder = JSONLineEncoder()
            _ = encoder.encode(batch, into: &buffer)
        case .table where batch.documents.isEmpty:
            buffer.append(PointListView(batch).text)
        case .table:
            var board = SnapshotBoard()
            for document in batch.documents { board.take(document.json) }
            for line in TableView.lines(board, size: .unbounded) {
                line.append(to: &buffer, color: StandardStream.outputColor)
                buffer.append(0x0a)
            }
        }
        return StandardStream.output(buffer.bytes)
    }
}
