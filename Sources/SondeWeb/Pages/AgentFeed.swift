internal import Glibc
internal import SondeDomain
internal import SondeFormats
internal import SondeGateways
internal import SondePresentation

/// What the agent answers, for all pages: what several ask is asked once, over two connections.
final class AgentFeed {
    /// What comes of a request of a page.
    struct Delivery {
        let page: PageID
        let intent: DashboardIntent
    }

    private struct Asker {
        let page: PageID
        let id: Int
    }

    private struct Known {
        let result: Result<JSONValue, SondeError>
        let time: MonotonicInstant
    }

    private let live: AgentConnection
    // The points of a month take the agent longer, and its answers come in order.
    private let past: AgentConnection
    private let timing: DashboardTiming
    private var asked: [Int: DashboardRequest.Question] = [:]
    private var askers: [Int: [Asker]] = [:]
    private var shared: [DashboardRequest.Question: Int] = [:]
    private var known: [DashboardRequest.Question: Known] = [:]
    private var lastID = 0
    private var deliveries: [Delivery] = []

    init(paths: [String], timing: DashboardTiming) {
        (live, past, self.timing) = (AgentConnection(paths: paths), AgentConnection(paths: paths), timing)
    }

    /// What has to be waited for.
    var descriptors: [pollfd] {
        [live, past].compactMap { connection in
            connection.descriptor.map { number in
                pollfd(fd: number, events: Int16(POLLIN) | (connection.hasUnsent ? Int16(POLLOUT) : 0), revents: 0)
            }
        }
    }

    /// Whether there is something to deliver without waiting.
    var hasDeliveries: Bool { !deliveries.isEmpty }

    /// Asks for a page; its answer is delivered later.
    func ask(_ request: DashboardRequest, for page: PageID, at now: MonotonicInstant) {
        let asker = Asker(page: page, id: request.id)
        guard let life = life(of: request.question) else { return send(request, for: asker, at: now) }
        if let known = known[request.question], now.since(known.time) < life {
            deliver(known.result, to: [asker])
        } else if let id = shared[request.question] {
            askers[id, default: []].append(asker)
        } else {
            shared[request.question] = lastID &+ 1
            send(request, for: asker, at: now)
        }
    }

    /// What has come since the last call.
    func take(at now: MonotonicInstant) -> [Delivery] {
        for connection in [live, past] { finish(connection.receive(), at: now) }
        known = known.filter { now.since($0.value.time) < life(of: $0.key) ?? Nanoseconds(0) }
        defer { deliveries = [] }
        return deliveries
    }

    /// No page is open any more: the agent has no connection from here.
    func rest() {
        live.close()
        past.close()
        (asked, askers, shared, known, deliveries) = ([:], [:], [:], [:], [])
    }

    private func send(_ request: DashboardRequest, for asker: Asker, at now: MonotonicInstant) {
        lastID &+= 1
        asked[lastID] = request.question
        askers[lastID] = [asker]
        let failed = connection(for: request.question).send(
            request.name, request.members, for: request.key, id: lastID)
        finish(failed, at: now)
    }

    private func finish(_ replies: [ControlChannel.Reply], at now: MonotonicInstant) {
        for reply in replies {
            guard let question = asked.removeValue(forKey: reply.id) else { continue }
            if shared[question] == reply.id { shared[question] = nil }
            if life(of: question) != nil { known[question] = Known(result: reply.result, time: now) }
            deliver(reply.result, to: askers.removeValue(forKey: reply.id) ?? [])
        }
    }

    private func deliver(_ result: Result<JSONValue, SondeError>, to askers: [Asker]) {
        for asker in askers {
            switch result {
            case .success(let answer):
                deliveries.append(Delivery(page: asker.page, intent: .answered(asker.id, answer)))
            case .failure(let error):
                deliveries.append(Delivery(page: asker.page, intent: .failed(asker.id, error)))
            }
        }
    }

    private func connection(for question: DashboardRequest.Question) -> AgentConnection {
        switch question {
        case .snapshot, .status, .list, .retry: live
        case .history, .courses, .changes, .export: past
        }
    }

    /// How long an answer is one for others that ask the same; nil: it is for one alone.
    private func life(of question: DashboardRequest.Question) -> Nanoseconds? {
        switch question {
        case .snapshot, .status, .list: Nanoseconds(timing.live.value / 4 * 3)
        case .history, .courses, .changes: Nanoseconds(timing.range.value / 6)
        case .export, .retry: nil
        }
    }
}
