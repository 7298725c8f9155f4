public import SondeDomain
internal import SondeEngine
public import SondeFormats

/// `spool.replay`: has a sink's receiver offered dead letters, or a stretch of the log, once more.
public final class SpoolReplayHandler: SlowControlHandler {
    /// `spool.replay`.
    public let request = "spool.replay"
    private let access: SpoolAccess

    /// A handler for a spool.
    public init(_ access: SpoolAccess) {
        self.access = access
    }

    /// Takes the order and tells its number; what becomes of it `spool.order` tells.
    public func answer(_ arguments: JSONValue) throws(SondeError) -> ControlAnswer {
        let arguments = ControlArguments(arguments)
        let sink = try arguments.requiredText("sink")
        let orders = try access.orders(for: sink)
        return try orders.add(try work(arguments, sink)).answer(of: sink)
    }

    private func work(_ arguments: ControlArguments, _ sink: String) throws(SondeError) -> SinkOrder.Work {
        let name = try arguments.text("dead_letter")
        let first = try arguments.number("first")
        switch (name, first, try arguments.flag("all")) {
        case (let name?, nil, false):
            guard DeadLetterFolder.isName(name), access.letterFolder(of: sink)?.file(name) != nil else {
                throw .spool(.deadLetterMissing, "'\(sink)' has no dead letter '\(name.prefix(200))'")
            }
            return .replayDeadLetters([name])
        case (nil, nil, true): return .replayDeadLetters(access.letterFolder(of: sink)?.names ?? [])
        case (nil, let first?, false):
            return .replayStretch(try stretch(from: first, to: try arguments.number("last"), sink))
        default: throw ControlArguments.wrong("name one of 'dead_letter', 'all' and 'first'")
        }
    }

    private func stretch(from first: UInt64, to last: UInt64?, _ sink: String) throws(SondeError) -> Stretch {
        let next = access.store.usage()?.sinks.first { $0.id == sink }?.next ?? 0
        let last = last ?? (next == 0 ? first : max(first, next &- 1))
        guard first >= 1, first <= last else { throw ControlArguments.wrong("'first' is 0 or above 'last'") }
        let stretch = Stretch(first: first, last: last)
        try access.store.requireWhole(stretch, passedBy: sink)
        return stretch
    }
}
