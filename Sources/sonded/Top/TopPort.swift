internal import SondeDomain
internal import SondeFormats
internal import SondeGateways
internal import SondePresentation

/// What `sonde top` has done for its dashboard: requests over one connection, files in the current folder.
final class TopPort: DashboardPort {
    private let connection: AgentConnection
    private var file: ReplacedFile?

    init(_ connection: AgentConnection) {
        self.connection = connection
    }

    func ask(_ request: DashboardRequest) -> [DashboardIntent] {
        connection.send(request.name, request.members, for: request.key, id: request.id).map(DashboardIntent.init)
    }

    /// Writes a piece of the export; a file that cannot be written fails as an answer would.
    func write(_ piece: DashboardExport.Piece) throws(SondeError) {
        do throws(SondeError) {
            if piece.isFirst {
                file?.abandon()
                file = try ReplacedFile(path: piece.fileName)
            }
            try file?.append(Array(piece.text.utf8))
            guard piece.isLast else { return }
            try file?.finish()
            file = nil
        } catch {
            file?.abandon()
            file = nil
            throw error
        }
    }

    func end() {
        file?.abandon()
    }
}

extension DashboardIntent {
    /// What comes of a request.
    init(_ reply: ControlChannel.Reply) {
        switch reply.result {
        case .success(let answer): self = .answered(reply.id, answer)
        case .failure(let error): self = .failed(reply.id, error)
        }
    }
}
