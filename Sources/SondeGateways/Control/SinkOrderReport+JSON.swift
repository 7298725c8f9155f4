internal import SondeDomain
internal import SondeEngine
internal import SondeFormats

extension SinkOrderReport {
    /// The answer with the state of an order.
    func answer(of sink: String) -> ControlAnswer {
        ControlAnswer("order") { json in
            json.object { json in
                json.member("id", order.id)
                json.member("sink", sink)
                json.member("kind", order.work.name)
                json.member("state", state.rawValue)
                json.member("batches", batches)
                json.member("points", points)
                json.member("refused", refused)
                if let failure { json.member("error") { failure.writeAnswer(to: &$0) } }
            }
        }
    }
}

extension SinkOrder.Work {
    /// The word for it on the control socket.
    var name: String {
        switch self {
        case .purgeWaiting: "purge_waiting"
        case .purgeDeadLetters: "purge_dead_letters"
        case .replayDeadLetters: "replay_dead_letters"
        }
    }
}
