public import SondeDomain
public import SondeEngine
internal import Synchronization

/// Plays a recording through the pipeline, on a clock that moves with it: sources in the order of their calls, sinks when their
/// batches are due.
///
/// One thing happens at a time, so that a recording always gives the same bytes.
public final class ReplayRun {
    /// A source and where its samples go.
    public struct Source {
        let tape: ReplayedSource
        let instance: any SourceInstance
        let channel: SourceChannel
        let entry: StatusEntry

        /// A source.
        public init(
            _ tape: ReplayedSource, _ instance: any SourceInstance, _ channel: SourceChannel, _ entry: StatusEntry
        ) {
            self.tape = tape
            self.instance = instance
            self.channel = channel
            self.entry = entry
        }
    }

    /// Wakes a sink at an instant of the recording.
    public final class Alarm: Wakeup {
        private let instant = Mutex(MonotonicInstant.distantFuture)

        /// An alarm that is not set.
        public init() {}

        /// Sets it.
        public func arm(at instant: MonotonicInstant) { self.instant.withLock { $0 = instant } }

        fileprivate var time: MonotonicInstant { instant.withLock { $0 } }
    }

    private struct Sink {
        let deliver: DeliverBatches
        let alarm: Alarm
        var isEnded = false
    }

    // A sink that fails is tried again at longer and longer pauses: what it has not taken then is not delivered.
    private static let lastAttempts = 64

    private let recording: Recording
    private let clock: StandingClock
    private let log: any EventLog
    private var sources: [Int: Source] = [:]
    private var sinks: [Sink] = []

    /// A run without sources and sinks.
    public init(_ recording: Recording, clock: StandingClock, log: any EventLog) {
        self.recording = recording
        self.clock = clock
        self.log = log
    }

    /// Adds the source of that number in the recording.
    public func add(_ source: Source, number: Int) { sources[number] = source }

    /// Adds a sink, whose gate sets the alarm.
    public func add(_ deliver: DeliverBatches, _ alarm: Alarm) {
        alarm.arm(at: clock.monotonicTime)
        sinks.append(Sink(deliver: deliver, alarm: alarm))
    }

    /// Plays everything; true: every sink has taken everything.
    public func play() -> Bool {
        for frame in recording.frames where frame.call != .create {
            deliver(until: frame.instant)
            clock.set(frame.time, frame.instant)
            if let source = sources[frame.source] { play(frame, source) }
        }
        for (_, source) in sources.sorted(by: { $0.key < $1.key }) {
            source.tape.finish()
            source.instance.close()
        }
        return drain()
    }

    private func play(_ frame: Recording.Frame, _ source: Source) {
        source.tape.load(frame)
        // Samples of a stream have the time of their commit.
        source.channel.setTickTime(source.instance.isStreaming ? nil : (frame.time, frame.instant))
        let (entry, log, clock) = (source.entry, log, clock)
        do throws(SondeError) {
            try source.tape.play(frame, on: source.instance) { error in
                guard let error else { return }
                entry.update { $0.fail(error, at: clock.monotonicTime) }
                log.log(.warning, error)
            }
            guard frame.call == .collect || frame.call == .lastCollect else { return }
            entry.update { $0.recover(at: clock.monotonicTime) }
            entry.update { $0.succeed(at: clock.monotonicTime) }
        } catch {
            entry.update { $0.fail(error, at: clock.monotonicTime) }
            log.log(.warning, error)
        }
    }

    private func deliver(until end: MonotonicInstant) {
        while let next = nextSink(), sinks[next].alarm.time <= end {
            clock.advance(to: sinks[next].alarm.time)
            step(next, draining: false)
        }
    }

    private func nextSink() -> Int? {
        sinks.indices.filter { !sinks[$0].isEnded }.min { sinks[$0].alarm.time < sinks[$1].alarm.time }
    }

    private func step(_ index: Int, draining: Bool) {
        let sink = sinks[index]
        sink.alarm.arm(at: .distantFuture)
        switch sink.deliver.step(draining: draining) {
        case .at(let instant): sink.alarm.arm(at: instant)
        case .whenWoken: break
        case .ended: sinks[index].isEnded = true
        }
    }

    private func drain() -> Bool {
        var isDelivered = true
        for index in sinks.indices {
            var attempts = 0
            while sinks[index].deliver.waiting > 0, !sinks[index].isEnded, attempts < Self.lastAttempts {
                step(index, draining: true)
                clock.advance(to: min(sinks[index].alarm.time, clock.monotonicTime.advanced(by: .seconds(3_600))))
                if sinks[index].deliver.failure != nil { attempts += 1 }
            }
            isDelivered = isDelivered && sinks[index].deliver.waiting == 0
        }
        return isDelivered
    }
}

/// The numbers of a replay, which has to have the same each time: SplitMix64 (Steele, Lea and Flood, 2014).
public struct RepeatableGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// The numbers of a seed.
    public init(seed: UInt64) { state = seed }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }
}
