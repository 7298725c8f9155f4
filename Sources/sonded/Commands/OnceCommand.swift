internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import SondeFormats
internal import SondeGateways
internal import SondePresentation

/// `once`: lets every source run for a second, and prints the newest of each series instead of delivering.
///
/// Where one fails the others are printed, and it exits with 1.
struct OnceCommand {
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
        let collection = OnceCollection(container)
        let code = try collection.collect().code
        guard let batch = collection.newest() else { return .failure }
        let shown = show(batch)
        return shown == .ok ? code : shown
    }

    private func show(_ batch: Batch) -> ExitCode {
        var buffer = ByteBuffer()
        switch session.arguments.format {
        case .json:
            var encoder = JSONLineEncoder()
            _ = encoder.encode(batch, into: &buffer)
        case .table:
            var board = SnapshotBoard()
            for document in batch.documents { board.take(document.json) }
            // A snapshot of a source that measures no network, or of a failure alone, has no table.
            guard !board.page.views.isEmpty || batch.entries.isEmpty else {
                buffer.append(PointListView(batch).text)
                break
            }
            for line in TableView.lines(board, size: .unbounded) {
                line.append(to: &buffer, color: StandardStream.outputColor)
                buffer.append(0x0a)
            }
        }
        return StandardStream.output(buffer.bytes)
    }
}
