internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import SondeFormats
internal import SondeGateways
internal import SondePresentation

/// `once`: collects twice, a second apart so that rates exist, and prints instead of delivering.
///
/// A streaming source runs between the two collections.
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
        let once = CollectOnce(spool: spool, pipeline: pipeline, host: container.host)
        let timer = try Timer()
        let book = SnapshotBook()
        var polled: [OnceSource] = []
        var streaming: [OnceSource] = []
        for source in container.configuration.sources {
            let made = try OnceSource(source, container, pipeline, book)
            if made.isStreaming { streaming.append(made) } else { polled.append(made) }
        }
        for source in streaming { try source.startStreaming() }
        let batch = once.run(polled.map(\.collector)) {
            timer.arm(at: session.clock.monotonicTime.advanced(by: Self.pause))
            timer.wait()
            for source in streaming { source.stopStreaming(by: session.clock.monotonicTime.advanced(by: .seconds(5))) }
        }
        for source in polled { source.close() }
        guard let batch else { return .failure }
        return show(batch)
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
