internal import Glibc
public import SondeDomain
public import SondeEngine
internal import Synchronization

/// One source of a recording, fed with what it read then; its calls are those of the recording.
///
/// A source that streams has a thread, of which only one step runs at a time, while the caller of ``play(_:)`` waits: what it
/// does depends on nothing but the recording.
public final class ReplayedSource: InputTape {
    /// What it does.
    public let mode = InputTapeMode.replaying
    private let recording: Recording
    private let interval: Nanoseconds
    private let answers = Mutex<[String: [Range<Int>]]>([:])
    private let turn = Semaphore()
    private let yield = Semaphore()
    private let isOver = Atomic<Bool>(false)
    private let stream = Mutex<PluginThread?>(nil)
    private let isStreaming = Atomic<Bool>(false)
    private let missing = Atomic<UInt64>(0)
    /// What was read at any time.
    private let keys: Set<String>
    private let cancel: CancelSignal

    /// The source of that number, which the recording has.
    public init(_ recording: Recording, number: Int) throws(SondeError) {
        self.recording = recording
        let source = recording.sources[number]
        keys = Set(recording.frames.lazy.filter { $0.source == number }.flatMap(\.answers).map { $0.key })
        interval = source.interval
        cancel = try CancelSignal()
    }

    /// How often something was asked for that was never read then: the source, or its options, are not the same.
    public var missingAnswers: UInt64 { missing.load(ordering: .relaxed) }

    /// Hands out what was read in a call.
    public func load(_ frame: Recording.Frame) {
        var found: [String: [Range<Int>]] = [:]
        for (key, place) in frame.answers.reversed() { found[key, default: []].append(place) }
        answers.withLock { $0 = found }
    }

    /// Makes the call of a frame that was loaded, or lets the stream take its step.
    public func play(
        _ frame: Recording.Frame, on instance: any SourceInstance,
        streamEnded: @escaping @Sendable (SondeError?) -> Void
    ) throws(SondeError) {
        switch frame.call {
        case .create: break
        // A stream that failed then may go on now, where the plugin is another version.
        case .start: if !isStreaming.load(ordering: .acquiring) { try instance.start() }
        case .collect, .lastCollect:
            _ = try instance.collect(conditions(frame, isFinal: frame.call == .lastCollect))
        case .tick: _ = try instance.tick(conditions(frame, isFinal: false))
        case .run: try begin(frame, on: instance, streamEnded)
        case .step: resume()
        }
    }

    /// Ends the stream, if there is one: it commits what it has.
    public func finish() {
        isOver.store(true, ordering: .releasing)
        cancel.cancel()
        answers.withLock { $0 = [:] }
        resume()
        stream.withLock { $0.take() }?.join()
    }

    // MARK: The tape

    /// Nothing is recorded.
    public func write(_ key: String, _ bytes: UnsafeRawBufferPointer) {}

    /// What was read then.
    public func read(_ key: String) -> [UInt8]? {
        guard let place = answers.withLock({ $0[key]?.popLast() }) else {
            if !keys.contains(key) { missing.add(1, ordering: .relaxed) }
            return nil
        }
        return Array(recording.bytes[place])
    }

    /// Waits until the recording has come to the next step.
    public func step() -> Bool {
        guard !isOver.load(ordering: .acquiring) else { return false }
        yield.signal()
        turn.wait()
        return !isOver.load(ordering: .acquiring)
    }

    // MARK: The stream

    // Used by one thread at a time, which the semaphores see to.
    private struct Cargo: @unchecked Sendable {
        let instance: any SourceInstance
    }

    private func begin(
        _ frame: Recording.Frame, on instance: any SourceInstance, _ ended: @escaping @Sendable (SondeError?) -> Void
    ) throws(SondeError) {
        guard !isStreaming.exchange(true, ordering: .acquiringAndReleasing) else { return resume() }
        stream.withLock { $0.take() }?.join()
        let (cargo, call) = (Cargo(instance: instance), conditions(frame, isFinal: false))
        let thread = try PluginThread(name: "replay") { [self] in
            do throws(SondeError) {
                _ = try cargo.instance.run(call)
                ended(nil)
            } catch {
                ended(error)
            }
            isStreaming.store(false, ordering: .releasing)
            yield.signal()
        }
        stream.withLock { $0 = thread }
        yield.wait()
    }

    private func resume() {
        guard isStreaming.load(ordering: .acquiring) else { return }
        turn.signal()
        yield.wait()
    }

    private func conditions(_ frame: Recording.Frame, isFinal: Bool) -> CallConditions {
        CallConditions(
            cancelDescriptor: cancel.descriptor, deadline: frame.instant.advanced(by: interval), time: frame.time,
            interval: interval, isFinal: isFinal)
    }
}

/// A counter that threads wait for, sem_overview(7).
private final class Semaphore: @unchecked Sendable {
    // Its address never changes, and its functions may be called from any thread.
    private let raw = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(raw, 0, 0) }

    deinit {
        sem_destroy(raw)
        raw.deallocate()
    }

    func signal() { sem_post(raw) }

    func wait() {
        while sem_wait(raw) != 0, errno == EINTR {}
    }
}
