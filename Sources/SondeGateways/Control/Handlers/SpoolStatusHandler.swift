public import SondeDomain
public import SondeEngine
public import SondeFormats

/// `spool.status`: the log's kind and bounds, and for each sink what waits and what was lost.
public final class SpoolStatusHandler: ControlHandler {
    /// `spool.status`.
    public let request = "spool.status"
    /// It changes nothing.
    public let permission = ControlPermission.read
    private let board: StatusBoard

    /// A handler that reads `board`.
    public init(_ board: StatusBoard) {
        self.board = board
    }

    /// The log at this instant.
    public func answer(_ arguments: JSONValue) throws(SondeError) -> ControlAnswer {
        let status = board.status
        return ControlAnswer("spool") { json in
            json.object { json in
                json.member("time", time: status.reading.wall)
                status.facts.spool.writeMembers(to: &json)
                json.member("sinks") { json in
                    json.array { json in
                        for sink in status.instances where sink.status.kind == .sink {
                            Self.write(sink, status, to: &json)
                        }
                    }
                }
            }
        }
    }

    private static func write(_ sink: AgentStatus.Instance, _ status: AgentStatus, to json: inout JSONWriter) {
        json.object { json in
            json.member("id", sink.status.id)
            if let backlog = sink.backlog { backlog.writeMembers(to: &json, at: status.reading) }
            let losses = status.losses.filter { $0.component == sink.status.id }
            if !losses.isEmpty { json.member("losses", losses) }
        }
    }
}
