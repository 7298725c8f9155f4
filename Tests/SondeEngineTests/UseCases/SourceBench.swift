import SondeDomain
import SondeEngine
import SondeTestKit

/// One source on a stopped clock, and the thread's loop as a function.
final class SourceBench {
    let pipeline: PipelineBench
    let source: FakeSourceInstance
    let channel: SourceChannel
    let observer = RecordingObserver()
    let entry = StatusEntry(
        id: "kernel", plugin: "fake", kind: .source, at: MonotonicInstant(nanoseconds: 1_000_000_000))
    let ended = EndNotice(wakeup: RecordingWakeup())
    let useCase: CollectSource
    /// When each step ran, in order.
    private(set) var steps: [MonotonicInstant] = []
    private var next: MonotonicInstant

    var clock: ManualClock { pipeline.clock }
    var log: RecordingLog { pipeline.log }

    init(
        interval: Nanoseconds = .seconds(1),
        phase: Nanoseconds = .zero,
        seed: UInt64 = 1,
        isStreaming: Bool = false,
        offersTick: Bool = false,
        lastOutcome: CallOutcome = .completed,
        wants: SendContent = .metrics,
        body: @escaping @Sendable (ManualClock, CallConditions) -> Void = { _, _ in }
    ) {
        pipeline = PipelineBench(wants: wants)
        let clock = pipeline.clock
        source = FakeSourceInstance(isStreaming: isStreaming, offersTick: offersTick, lastOutcome: lastOutcome) {
            body(clock, $0)
        }
        channel = pipeline.channel()
        useCase = CollectSource(
            configuration: SourceConfiguration(id: "kernel", plugin: "fake", interval: interval),
            instance: source,
            channel: channel,
            log: pipeline.log,
            observer: observer,
            cancelDescriptor: -1,
            random: SeededGenerator(seed: seed),
            phase: phase,
            entry: entry,
            ended: ended
        )
        next = clock.monotonicTime
    }

    /// Does what the instance's thread does for `span`: steps, sleeps until the instant that the step returned.
    ///
    /// Stops early when steps pile up without time passing: that is a loop that spins.
    func run(for span: Nanoseconds) {
        let end = clock.monotonicTime.advanced(by: span)
        var stepsAtOnce = 0
        while true {
            let now = clock.monotonicTime
            if next > now {
                guard next <= end else { return clock.advance(by: max(.zero, end.since(now))) }
                clock.advance(by: next.since(now))
                stepsAtOnce = 0
            }
            stepsAtOnce += 1
            guard stepsAtOnce < 100 else { return }
            steps.append(clock.monotonicTime)
            next = useCase.step()
        }
    }

    /// Seconds between an instant and the beginning, as tests count them.
    func seconds(of instant: MonotonicInstant) -> Double {
        instant.since(MonotonicInstant(nanoseconds: 1_000_000_000)).seconds
    }
}
