public import SondeDomain
internal import SondeEngine
public import SondeFormats

/// `spool.replay`: offers a sink's receiver dead letters once more.
public final class SpoolReplayHandler: SlowControlHandler {
    /// `spool.replay`.
    public let request = "spool.replay"
    /// It changes what the agent does.
    public let permission = ControlPermission.change
    private let access: SpoolAccess

    /// A handler for a spool.
    public init(_ access: SpoolAccess) {
        self.access = access
    }

    /// Takes the order and returns its number; `spool.order` returns its state.
    public func answer(_ arguments: JSONValue) throws(SondeError) -> ControlAnswer {
        let arguments = ControlArguments(arguments)
        let sink = try arguments.requiredText("sink")
        let orders = try access.orders(for: sink)
        return try orders.add(.replayDeadLetters(try letters(arguments, sink))).answer(of: sink)
    }

    private func letters(_ arguments: ControlArguments, _ sink: String) throws(SondeError) -> [String] {
        let folder = access.letterFolder(of: sink)
        switch (try arguments.text("dead_letter"), try arguments.flag("all")) {
        case (let name?, false):
            guard DeadLetterFolder.isName(name), folder?.file(name) != nil else {
                throw .spool(.deadLetterMissing, "'\(sink)' has no dead letter '\(name.prefix(200))'")
            }
            return [name]
        case (nil, true): return folder?.names ?? []
        default: throw ControlArguments.wrong("name one of 'dead_letter' and 'all'")
        }
    }
}
