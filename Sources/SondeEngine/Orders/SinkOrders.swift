public import SondeDomain
internal import Synchronization

/// Queues orders for one sink, passes them to its thread one after another, and keeps the results of the last ones.
///
/// May be called from any thread.
public final class SinkOrders: Sendable {
    private struct State {
        var reports: [SinkOrderReport] = []
        var nextID: UInt64 = 1
        var isClosed = false
    }

    /// How many orders may wait or run at once.
    public static let openBound = 8
    // Ended orders are kept so that their result can be queried.
    private static let reportBound = 32

    /// The sink's `id`.
    public let sink: String
    private let wakeup: any Wakeup
    private let state = Mutex(State())

    /// Orders for a sink whose thread `wakeup` wakes.
    public init(sink: String, wakeup: any Wakeup) {
        self.sink = sink
        self.wakeup = wakeup
    }

    /// Takes an order and wakes the sink's thread.
    ///
    /// Throws ``SondeDomain/ErrorCode/spoolOrdersFull`` when too many are open, and
    /// ``SondeDomain/ErrorCode/spoolSinkEnded`` when the sink has ended.
    public func add(_ work: SinkOrder.Work) throws(SondeError) -> SinkOrderReport {
        let result = state.withLock { state -> Result<SinkOrderReport, SondeError> in
            guard !state.isClosed else {
                return .failure(SondeError(order: .spoolSinkEnded, "the sink '\(sink)' has ended"))
            }
            guard state.reports.count(where: \.isOpen) < Self.openBound else {
                let text = "\(Self.openBound) orders for '\(sink)' are open already"
                return .failure(SondeError(order: .spoolOrdersFull, text))
            }
            let report = SinkOrderReport(order: SinkOrder(id: state.nextID, work: work))
            state.nextID &+= 1
            state.reports.append(report)
            while state.reports.count > Self.reportBound, let index = state.reports.firstIndex(where: { !$0.isOpen }) {
                state.reports.remove(at: index)
            }
            return .success(report)
        }
        let report = try result.get()
        wakeup.arm(at: MonotonicInstant(nanoseconds: 1))
        return report
    }

    /// The state of an order; nil: it is not known any more.
    public func report(of id: UInt64) -> SinkOrderReport? {
        state.withLock { state in state.reports.first { $0.order.id == id } }
    }

    /// Whether an order waits that the thread has not begun.
    var isWaiting: Bool {
        state.withLock { $0.reports.contains { $0.state == .waiting } }
    }

    /// Returns the next order, which runs from now on.
    func takeUp() -> SinkOrder? {
        state.withLock { state in
            guard let index = state.reports.firstIndex(where: { $0.state == .waiting }) else { return nil }
            state.reports[index].state = .running
            return state.reports[index].order
        }
    }

    /// Records the state of an order.
    func update(_ id: UInt64, _ change: (inout SinkOrderReport) -> Void) {
        state.withLock { state in
            guard let index = state.reports.firstIndex(where: { $0.order.id == id }) else { return }
            change(&state.reports[index])
        }
    }

    /// Wakes the thread at an instant, unless something wakes it before.
    func wake(at instant: MonotonicInstant) {
        wakeup.arm(at: instant)
    }

    /// The sink's thread has ended: abandons open orders.
    public func close() {
        state.withLock { state in
            state.isClosed = true
            for index in state.reports.indices where state.reports[index].isOpen {
                state.reports[index].state = .failed
                state.reports[index].failure = SondeError(order: .spoolSinkEnded, "the sink '\(sink)' has ended")
            }
        }
    }
}

extension SinkOrderReport {
    /// Whether there is still something to do.
    public var isOpen: Bool { state == .waiting || state == .running }
}

extension SondeError {
    /// A failure of an order, with the class and recovery of its definition.
    init(order code: ErrorCode, _ message: String) {
        self.init(defined: code, stage: .control, message)
    }
}
