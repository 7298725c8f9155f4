public import SondeDomain
public import SondeEngine
public import SondeFormats

/// `status`: the agent, every source and sink, and what was lost.
public final class StatusHandler: ControlHandler {
    /// `status`.
    public let request = "status"
    /// It changes nothing.
    public let permission = ControlPermission.read
    private let board: StatusBoard
    private let counts: ControlCounts

    /// A handler that reads `board`, and `counts` of the control socket itself.
    public init(_ board: StatusBoard, _ counts: ControlCounts) {
        self.board = board
        self.counts = counts
    }

    /// Everything at this instant.
    public func answer(_ arguments: JSONValue) throws(SondeError) -> ControlAnswer {
        let (status, counts) = (board.status, counts)
        return ControlAnswer("status") { json in
            json.object { json in
                status.writeMembers(to: &json)
                json.member("control", counts)
            }
        }
    }
}
