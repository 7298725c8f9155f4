internal import SondeDomain
internal import SondeFormats
internal import SondeGateways
internal import SondePresentation

/// A dashboard and its connection to the agent: does what the dashboard wants done, and hands in what comes of it.
final class DashboardSession {
    private(set) var state = DashboardState()
    private(set) var hasEnded = false
    private let paths: [String]
    private let clock = SystemClock()
    private var channel: ControlChannel?
    private var file: ReplacedFile?

    /// A session with the agent at the first of `paths` where one answers.
    init(paths: [String]) {
        self.paths = paths
        apply(.open)
    }

    /// The connection to wait for; nil: there is none now.
    var connection: (descriptor: Int32, hasUnsent: Bool)? { channel.map { ($0.descriptor, $0.hasUnsent) } }

    /// How long nothing is to be done by itself, in milliseconds; -1: for ever.
    var idleMilliseconds: Int32 {
        guard let wake = state.wake else { return -1 }
        let left = wake.since(clock.monotonicTime).value
        // Rounded up: a wait that ends too soon is one more.
        return left <= 0 ? 0 : Int32(clamping: left / 1_000_000 + 1)
    }

    func apply(_ intent: DashboardIntent) {
        var intents = [intent]
        while !intents.isEmpty {
            for effect in state.reduce(intents.removeFirst(), at: clock.monotonicTime) {
                intents += carryOut(effect)
            }
        }
    }

    /// Takes what has arrived from the agent.
    func receive() {
        guard let channel else { return }
        do throws(SondeError) {
            if channel.hasUnsent { try channel.flush() }
            for reply in try channel.receive() {
                switch reply.result {
                case .success(let answer): apply(.answered(reply.id, answer))
                case .failure(let error): apply(.failed(reply.id, error))
                }
            }
        } catch {
            disconnect(error)
        }
    }

    private func carryOut(_ effect: DashboardEffect) -> [DashboardIntent] {
        switch effect {
        case .end:
            hasEnded = true
            file?.abandon()
            return []
        case .ask(let request): return ask(request)
        case .write(let piece): return write(piece)
        }
    }

    private func ask(_ request: DashboardRequest) -> [DashboardIntent] {
        do throws(SondeError) {
            if channel == nil { channel = try connected() }
            try channel?.send(request.name, request.members, for: request.key, id: request.id)
            return []
        } catch {
            let others = channel?.abandon() ?? []
            channel = nil
            return Set(others + [request.id]).sorted().map { .failed($0, error) }
        }
    }

    /// A refusal is more specific than the absence of an agent.
    private func connected() throws(SondeError) -> ControlChannel {
        var reasons: [SondeError] = []
        for path in paths {
            do throws(SondeError) {
                return try ControlChannel(path: path)
            } catch {
                reasons.append(error)
            }
        }
        throw reasons.first { $0.code == .controlPeerRefused } ?? reasons.last ?? AgentQuery.nowhere
    }

    private func disconnect(_ error: SondeError) {
        let waiting = channel?.abandon() ?? []
        channel = nil
        for id in waiting { apply(.failed(id, error)) }
    }

    /// Writes a piece of the export; a file that cannot be written fails as an answer would.
    private func write(_ piece: DashboardExport.Piece) -> [DashboardIntent] {
        do throws(SondeError) {
            if piece.isFirst {
                file?.abandon()
                file = try ReplacedFile(path: piece.fileName)
            }
            try file?.append(Array(piece.text.utf8))
            guard piece.isLast else { return [] }
            try file?.finish()
            file = nil
            return []
        } catch {
            file?.abandon()
            file = nil
            return [.exportFailed(error)]
        }
    }
}
