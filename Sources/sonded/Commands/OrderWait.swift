internal import Glibc
internal import SondeDomain
internal import SondeFormats
internal import SondeGateways
internal import SondePresentation

/// Waits until sinks have executed orders, and reports the results.
struct OrderWait {
    private static let patience = Nanoseconds.seconds(60)
    private static let firstPause = Nanoseconds.milliseconds(50)
    private static let longestPause = Nanoseconds.seconds(1)

    let session: Session

    /// Waits for orders that the agent has taken; returns the worst outcome.
    func follow(_ orders: [JSONValue]) throws(SondeError) -> ExitCode {
        let end = session.clock.monotonicTime.advanced(by: Self.patience)
        var worst = ExitCode.ok
        for order in orders {
            let last = try wait(for: order, until: end)
            let code = say(OrderState(last))
            if worst == .ok || code == .failure { worst = code == .ok ? worst : code }
        }
        return worst
    }

    private func wait(for order: JSONValue, until end: MonotonicInstant) throws(SondeError) -> JSONValue {
        var last = order
        var pause = Self.firstPause
        var isSaid = false
        while OrderState(last).isOpen, session.clock.monotonicTime < end {
            usleep(UInt32(clamping: pause.value / 1_000))
            pause = min(Self.longestPause, Nanoseconds(pause.value * 2))
            let members = [
                JSONValue.Member("sink", order["sink"] ?? .null), JSONValue.Member("id", order["id"] ?? .null),
            ]
            last = try AgentQuery.intoSpool(session).ask("spool.order", members, for: "order")
            if pause == Self.longestPause, isatty(STDERR_FILENO) == 1 {
                isSaid = true
                _ = progress("\r\u{1b}[K\(OrderState(last).sentence)")
            }
        }
        if isSaid { _ = progress("\r\u{1b}[K") }
        return last
    }

    private func progress(_ text: String) -> Int {
        text.utf8.withContiguousStorageIfAvailable { write(STDERR_FILENO, $0.baseAddress, $0.count) } ?? 0
    }

    private func say(_ state: OrderState) -> ExitCode {
        let code: ExitCode
        switch session.arguments.format {
        case .json:
            var json = JSONWriter()
            json.value(state.json)
            code = StandardStream.output(json.bytes + [0x0a])
        case .table: code = StandardStream.output(Array("\(state.sentence)\n".utf8))
        }
        guard code == .ok else { return code }
        if state.isOpen {
            StandardStream.error(
                "the agent continues with it; 'sonde spool list' and 'sonde status' show how far it is")
            return .temporaryFailure
        }
        return state.isComplete ? .ok : .failure
    }
}
