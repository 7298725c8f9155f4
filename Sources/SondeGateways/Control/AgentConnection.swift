internal import SondeDomain
public import SondeFormats

/// The connection of a view to the agent: made when something is asked, and anew after it has ended.
///
/// Used from one thread; it never waits.
public final class AgentConnection {
    private let paths: [String]
    private var channel: ControlChannel?

    /// A connection to the agent at the first of `paths` where one answers.
    public init(paths: [String]) {
        self.paths = paths
    }

    /// The descriptor to wait for; nil: there is no connection now.
    public var descriptor: Int32? { channel?.descriptor }

    /// Whether ``receive()`` has to be called when the descriptor is writable.
    public var hasUnsent: Bool { channel?.hasUnsent ?? false }

    /// Sends a request, whose reply will have the member `key` of the answer; returns the requests that have failed by it.
    public func send(
        _ request: String, _ members: [JSONValue.Member], for key: String, id: Int
    ) -> [ControlChannel.Reply] {
        do throws(SondeError) {
            if channel == nil { channel = try connected() }
            try channel?.send(request, members, for: key, id: id)
            return []
        } catch {
            return end(error, with: [id])
        }
    }

    /// What has arrived, and the requests that have failed.
    public func receive() -> [ControlChannel.Reply] {
        guard let channel else { return [] }
        do throws(SondeError) {
            if channel.hasUnsent { try channel.flush() }
            return try channel.receive()
        } catch {
            return end(error)
        }
    }

    /// Closes the connection; what was asked has no answer.
    public func close() {
        channel = nil
    }

    private func end(_ error: SondeError, with ids: [Int] = []) -> [ControlChannel.Reply] {
        let waiting = channel?.abandon() ?? []
        channel = nil
        return Set(waiting + ids).sorted().map { ControlChannel.Reply(id: $0, result: .failure(error)) }
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
        throw reasons.first { $0.code == .controlPeerRefused } ?? reasons.last ?? .noControlSocket
    }
}
