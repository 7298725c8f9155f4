import SondeDomain
import SondeTestKit
import Synchronization

@testable import SondeEngine

/// One sink on a stopped clock, and the thread's loop as a function.
final class SinkBench {
    let clock = ManualClock()
    let log = RecordingLog()
    let wakeup = RecordingWakeup()
    let observer = RecordingObserver()
    let entry = StatusEntry(
        id: "sink", plugin: "fake", kind: .sink, at: MonotonicInstant(nanoseconds: 1_000_000_000))
    let spool: any SpoolStore
    let ledger: LossLedger
    let pipeline: Pipeline
    let sink: FakeSinkInstance
    let useCase: DeliverBatches
    /// When each offer was made, in seconds from the beginning.
    var offers: [Double] { offerTimes.withLock { $0 } }
    /// How often the loop ran a step.
    private(set) var steps = 0
    /// How often the loop slept and was woken.
    private(set) var wakes = 0
    private(set) var last: DeliverBatches.Next?
    private let offerTimes: SharedTimes
    private var timer: MonotonicInstant?
    private var seenArms = 0
    private var lastNumber: UInt64 = 0

    init(
        _ configuration: SinkConfiguration = .fake(),
        seed: UInt64 = 1,
        wants: SendContent = .metrics,
        wantsEnds: Bool = false,
        spool: any SpoolStore = MemorySpool(epoch: "epoch", maxBytes: 64 << 20, overflow: .dropOldest),
        deadLetters: (any DeadLetterStore)? = nil,
        receiver: @escaping FakeSinkInstance.Receiver
    ) {
        self.spool = spool
        ledger = LossLedger(log: log)
        pipeline = Pipeline(spool: spool, ledger: ledger, clock: clock)
        let gate = DeliveryGate(
            sink: "sink", wants: wants, wait: configuration.batch.wait ?? .seconds(1),
            maxCount: configuration.batch.samples, maxBytes: configuration.batch.bytes, wakeup: wakeup)
        spool.resource = Resource(host: "h")
        spool.addReader("sink", .durable, wants: wants)
        pipeline.add(gate)
        let (clock, times) = (clock, SharedTimes())
        offerTimes = times
        sink = FakeSinkInstance(preferredContent: wants) { batch, number, call throws(SondeError) in
            times.withLock {
                $0.append(clock.monotonicTime.since(MonotonicInstant(nanoseconds: 1_000_000_000)).seconds)
            }
            return try receiver(batch, number, call)
        }
        useCase = DeliverBatches(
            settings: DeliverBatches.Settings(configuration, wantsEnds: wantsEnds),
            agent: "agent", instance: sink, spool: spool, gate: gate, ledger: ledger, deadLetters: deadLetters,
            clock: clock, log: log, observer: observer, cancelDescriptor: -1,
            random: SeededGenerator(seed: seed), entry: entry)
    }

    /// A sink whose receiver accepts everything.
    convenience init(
        _ change: (inout SinkConfiguration) -> Void = { _ in },
        spool: any SpoolStore = MemorySpool(epoch: "epoch", maxBytes: 64 << 20, overflow: .dropOldest)
    ) {
        var configuration = SinkConfiguration.fake()
        change(&configuration)
        self.init(configuration, spool: spool) { _, _, _ in .delivered(rejectedPoints: 0, reason: "") }
    }

    /// Commits numbered points as one frame.
    func commit(_ count: UInt64, documents: [Document] = []) {
        let numbers = count == 0 ? [] : Array((lastNumber + 1)...(lastNumber + count))
        lastNumber += count
        _ = pipeline.submit(numbers.map { .numbered($0) }, documents: documents)
    }

    /// Does what the instance's thread does for `span`: steps, and sleeps until its timer.
    ///
    /// Stops early when steps pile up without time passing: that is a loop that spins.
    func run(for span: Nanoseconds, draining: Bool = false) {
        let end = clock.monotonicTime.advanced(by: span)
        var stepsAtOnce = 0
        // A stop wakes the thread.
        if draining { last = nil }
        while true {
            if last != nil {
                takeArms()
                if !isDue(last) {
                    guard let timer, timer <= end else {
                        return clock.advance(by: max(.zero, end.since(clock.monotonicTime)))
                    }
                    clock.advance(by: max(.zero, timer.since(clock.monotonicTime)))
                    self.timer = nil
                    wakes += 1
                    stepsAtOnce = 0
                }
            }
            stepsAtOnce += 1
            guard stepsAtOnce < 20_000 else { return }
            steps += 1
            let next = useCase.step(draining: draining)
            last = next
            if next == .ended || (draining && next == .whenWoken) { return }
            if case .at(let instant) = next, instant > clock.monotonicTime { timer = instant }
        }
    }

    /// The numbers of everything that was accepted, in order.
    var deliveredNumbers: [UInt64] { sink.delivered.flatMap(\.numbers) }

    private func isDue(_ next: DeliverBatches.Next?) -> Bool {
        guard case .at(let instant) = next else { return false }
        return instant <= clock.monotonicTime
    }

    private func takeArms() {
        let arms = wakeup.instants
        if arms.count > seenArms { timer = arms.last }
        seenArms = arms.count
    }
}

/// Times that the receiver's thread adds to.
final class SharedTimes: Sendable {
    private let times = Mutex<[Double]>([])

    func withLock<Result>(_ body: (inout sending [Double]) -> sending Result) -> Result {
        times.withLock(body)
    }
}

extension SinkConfiguration {
    /// A sink with batches of at most so many points, which gets only what these globs match.
    static func fake(samples: Int = 5_000, include: [String] = []) -> SinkConfiguration {
        var configuration = SinkConfiguration(id: "sink", plugin: "fake")
        configuration.batch.samples = samples
        configuration.metrics.include = include
        return configuration
    }
}

extension Batch {
    /// The numbers of its numbered points.
    var numbers: [UInt64] {
        entries.compactMap { if case .unsigned(let number) = $0.point.value { number } else { nil } }
    }
}
