public import SondeDomain
internal import SondeEngine
public import SondeFormats

/// `spool.purge`: drops what waits for a sink, or its dead letters; every point dropped is in the loss ledger.
public final class SpoolPurgeHandler: SlowControlHandler {
    /// `spool.purge`.
    public let request = "spool.purge"
    /// It changes what the agent does.
    public let permission = ControlPermission.change
    private let access: SpoolAccess

    /// A handler for a spool.
    public init(_ access: SpoolAccess) {
        self.access = access
    }

    /// Without `confirm` returns what would be dropped at most; with it takes the order and returns its number.
    public func answer(_ arguments: JSONValue) throws(SondeError) -> ControlAnswer {
        let arguments = ControlArguments(arguments)
        let sink = try arguments.requiredText("sink")
        let orders = try access.orders(for: sink)
        let before = try arguments.instant("before")
        guard try arguments.flag("all") != (before != nil) else {
            throw ControlArguments.wrong("name one of 'all' and 'before'")
        }
        let isOfLetters = try arguments.flag("dead_letters")
        guard try arguments.flag("confirm") else {
            return isOfLetters ? letterPreview(sink, before) : preview(sink)
        }
        let work: SinkOrder.Work =
            isOfLetters ? .purgeDeadLetters(before: before) : .purgeWaiting(before: before)
        return try orders.add(work).answer(of: sink)
    }

    private func preview(_ sink: String) -> ControlAnswer {
        let backlog = access.store.backlog(of: sink)
        return ControlAnswer("purge") { json in
            json.object { json in
                json.member("sink", sink)
                json.member("points", backlog.count)
                json.member("bytes", backlog.bytes)
            }
        }
    }

    private func letterPreview(_ sink: String, _ before: Timestamp?) -> ControlAnswer {
        var (batches, points, bytes): (UInt64, UInt64, Int64) = (0, 0, 0)
        if let folder = access.letterFolder(of: sink) {
            for name in folder.names {
                guard let file = folder.file(name) else { continue }
                let heading = folder.heading(of: name)?.heading
                if let before {
                    guard let newest = heading?.to ?? heading?.time, newest < before else { continue }
                }
                batches &+= 1
                points &+= heading?.count ?? 0
                bytes &+= file.bytes
            }
        }
        return ControlAnswer("purge") { [batches, points, bytes] json in
            json.object { json in
                json.member("sink", sink)
                json.member("batches", batches)
                json.member("points", points)
                json.member("bytes", bytes)
            }
        }
    }
}
