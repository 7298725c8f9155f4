public import SondeDomain
public import SondeEngine
internal import Synchronization

/// A sink instance whose receiver is a function of a test; remembers every batch that was offered.
///
/// May be used from any thread.
public final class FakeSinkInstance: SinkInstance, Sendable {
    /// The receiver's answer to a batch; `number` counts offers from 1.
    public typealias Receiver =
        @Sendable (_ batch: Batch, _ number: Int, _ call: CallConditions) throws(SondeError) -> DeliveryOutcome

    /// What the sink does between deliveries.
    public typealias Server = @Sendable (_ call: CallConditions) throws(SondeError) -> CallOutcome

    private struct State {
        var offered: [Batch] = []
        var delivered: [Batch] = []
        var starts: [SondeError?] = []
        var startCount = 0
        var isClosed = false
    }

    /// What it prefers to be sent.
    public let preferredContent: SendContent
    private let receiver: Receiver
    private let server: Server?
    private let state = Mutex(State())

    /// A sink; without a receiver everything is accepted, without a server it does not serve.
    public init(
        preferredContent: SendContent = .metrics,
        receiver: @escaping Receiver = { _, _, _ in .delivered(rejectedPoints: 0, reason: "") },
        server: Server? = nil
    ) {
        self.preferredContent = preferredContent
        self.receiver = receiver
        self.server = server
    }

    /// Whether there is a server.
    public var isServing: Bool { server != nil }

    /// Runs the server.
    public func serve(_ call: CallConditions) throws(SondeError) -> CallOutcome {
        try server?(call) ?? .completed
    }

    /// Every batch that was offered, each time it was.
    public var offered: [Batch] { state.withLock { $0.offered } }
    /// Every batch that was accepted.
    public var delivered: [Batch] { state.withLock { $0.delivered } }
    /// How often `start` was called.
    public var startCount: Int { state.withLock { $0.startCount } }
    /// Whether it was freed.
    public var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Queues how the next starts end; nil: well.
    public func answerStarts(_ answers: [SondeError?]) { state.withLock { $0.starts += answers } }

    /// Answers as queued, or well.
    public func start() throws(SondeError) {
        let error = state.withLock { state -> SondeError? in
            state.startCount += 1
            return state.starts.isEmpty ? nil : state.starts.removeFirst()
        }
        if let error { throw error }
    }

    /// Remembers the batch and asks the receiver.
    public func deliver(_ batch: Batch, _ call: CallConditions) throws(SondeError) -> DeliveryOutcome {
        let number = state.withLock { state in
            state.offered.append(batch)
            return state.offered.count
        }
        let outcome = try receiver(batch, number, call)
        if case .delivered = outcome { state.withLock { $0.delivered.append(batch) } }
        return outcome
    }

    /// Remembers that it was freed.
    public func close() {
        state.withLock { $0.isClosed = true }
    }
}
