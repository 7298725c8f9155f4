internal import Glibc
internal import SondeDomain
internal import SondeEngine

/// One instance under test, source or sink, with the engine that it sees.
final class TestInstance {
    enum Role {
        case source(any SourceInstance)
        case sink(any SinkInstance)
    }

    /// How long a source streams before it is cancelled: it commits a last time then.
    static let streaming = Nanoseconds.milliseconds(300)
    private static let patience = Nanoseconds.seconds(10)

    let role: Role
    let services: TestServices

    init(_ role: Role, _ services: TestServices) {
        (self.role, self.services) = (role, services)
    }

    /// Whether it streams until it is cancelled.
    var isStreaming: Bool {
        if case .source(let source) = role { source.isStreaming } else { false }
    }

    func start() throws(SondeError) {
        services.beginCall()
        switch role {
        case .source(let source): try source.start()
        case .sink(let sink): try sink.start()
        }
    }

    /// Does the work of the instance once: collects, streams for a moment, or delivers a batch.
    func work(streaming span: Nanoseconds = streaming) throws(SondeError) {
        let timer = try Timer()
        timer.arm(at: SystemClock().monotonicTime.advanced(by: isStreaming ? span : Self.patience))
        try call(Self.conditions(cancel: timer.descriptor.raw))
        withExtendedLifetime(timer) {}
    }

    /// Does its work once under these conditions.
    func call(_ conditions: CallConditions) throws(SondeError) {
        services.beginCall()
        switch role {
        case .source(let source):
            _ = source.isStreaming ? try source.run(conditions) : try source.collect(conditions)
        case .sink(let sink): _ = try sink.deliver(TestBatches.usual, conditions)
        }
    }

    /// Delivers a batch; a source has nothing to deliver.
    func deliver(_ batch: Batch) throws(SondeError) -> DeliveryOutcome {
        guard case .sink(let sink) = role else { return .cancelled }
        let timer = try Timer()
        timer.arm(at: SystemClock().monotonicTime.advanced(by: Self.patience))
        services.beginCall()
        defer { withExtendedLifetime(timer) {} }
        return try sink.deliver(batch, Self.conditions(cancel: timer.descriptor.raw))
    }

    func close() {
        switch role {
        case .source(let source): source.close()
        case .sink(let sink): sink.close()
        }
    }

    /// The conditions of a call that begins now.
    static func conditions(cancel: Int32, limit: Nanoseconds = patience) -> CallConditions {
        let clock = SystemClock()
        return CallConditions(
            cancelDescriptor: cancel, deadline: clock.monotonicTime.advanced(by: limit), time: clock.wallTime,
            interval: .seconds(1))
    }
}
