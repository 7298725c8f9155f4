public import SondeDomain
public import SondeEngine
public import SondeFormats

/// `status`: the agent, every source and sink, and what was lost.
public final class StatusHandler: ControlHandler {
    /// `status`.
    public let request = "status"
    private let board: StatusBoard

    /// A handler that reads `board`.
    public init(_ board: StatusBoard) {
        self.board = board
    }

    /// Everything at this instant.
    public func answer(_ arguments: JSONValue) throws(SondeError) -> ControlAnswer {
        let status = board.status
        return ControlAnswer("status") { $0.value(status) }
    }
}
