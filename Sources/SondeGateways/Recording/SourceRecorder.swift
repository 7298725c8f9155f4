internal import Glibc
public import SondeDomain
public import SondeEngine
internal import Synchronization

/// Records what one source reads: its tape, and its clock, which stands still during a call.
public final class SourceRecorder: InputTape {
    /// What it does.
    public let mode = InputTapeMode.recording
    /// The clock of the source.
    public let clock: StandingClock
    private let file: RecordingFile
    private let number: Int
    private let secret: [UInt8]?
    private let writes = Atomic<Bool>(false)

    /// Whether the source has kept anything.
    public var hasAnswers: Bool { writes.load(ordering: .relaxed) }

    /// Records a source that is made now; without a secret everything is kept as it is.
    public init(_ source: Recording.Source, in file: RecordingFile, secret: [UInt8]?) {
        self.file = file
        self.secret = secret
        number = file.add(source)
        let (time, instant) = file.begin(number, .create)
        clock = StandingClock(time, instant)
    }

    /// A call begins.
    func begin(_ call: Recording.Call) {
        let (time, instant) = file.begin(number, call)
        clock.set(time, instant)
    }

    /// Keeps what was read.
    public func write(_ key: String, _ bytes: UnsafeRawBufferPointer) {
        writes.store(true, ordering: .relaxed)
        file.keep(number, key, bytes)
    }

    /// The secret.
    public func read(_ key: String) -> [UInt8]? { key == "privacy" ? secret : nil }

    /// The next step of a stream begins.
    public func step() -> Bool {
        begin(.step)
        return true
    }
}

/// A source whose calls are recorded.
public final class RecordedSource: SourceInstance {
    private let instance: any SourceInstance
    private let recorder: SourceRecorder

    /// Records the calls of `instance`, whose services have the recorder's clock and tape.
    public init(_ instance: any SourceInstance, _ recorder: SourceRecorder) {
        self.instance = instance
        self.recorder = recorder
    }

    /// Whether it streams.
    public var isStreaming: Bool { instance.isStreaming }
    /// Whether it offers ticks.
    public var offersTick: Bool { instance.offersTick }

    /// Opens its resources.
    public func start() throws(SondeError) {
        recorder.begin(.start)
        try instance.start()
    }

    /// Reads everything once.
    public func collect(_ call: CallConditions) throws(SondeError) -> CallOutcome {
        recorder.begin(call.isFinal ? .lastCollect : .collect)
        return try instance.collect(atRest(call))
    }

    /// Streams.
    public func run(_ call: CallConditions) throws(SondeError) -> CallOutcome {
        recorder.begin(.run)
        return try instance.run(atRest(call))
    }

    /// Takes one reading.
    public func tick(_ call: CallConditions) throws(SondeError) -> CallOutcome {
        recorder.begin(.tick)
        return try instance.tick(atRest(call))
    }

    /// Frees it.
    public func close() { instance.close() }

    /// The time of the call is that of its clock, so that a replay has the same.
    private func atRest(_ call: CallConditions) -> CallConditions {
        var call = call
        call.time = recorder.clock.wallTime
        return call
    }
}
