internal import Glibc
public import SondeDomain
public import SondeEngine
internal import Synchronization

/// A recording that is being made.
///
/// From any thread.
public final class RecordingFile: Sendable {
    /// The name of the file in its directory.
    public static let name = "recording"
    // A collection of a large host is a few hundred kilobytes.
    private static let bufferSize = 256 << 10

    private struct State {
        var buffer = Recording.head
        /// With what is in the buffer.
        var size = Int64(Recording.head.count)
        var sources = 0
        var omitted: [Recording.Omission: UInt64] = [:]
        var isFull = false
        var failure: Int32?
    }

    private let file: OwnedDescriptor
    private let path: String
    private let limit: Int64
    private let clock: any Clock
    private let state = Mutex(State())

    /// Makes the directory, which must not be there, and in it the file, which gets `limit` bytes at most.
    ///
    /// Only its owner may read it. Throws `SND-REC003`.
    public init(in directory: String, limit: Int64, clock: any Clock = SystemClock()) throws(SondeError) {
        path = "\(directory)/\(Self.name)"
        self.limit = min(limit, Int64(Recording.sizeLimit))
        self.clock = clock
        guard mkdir(directory, 0o700) == 0 else { throw .unusableRecording(directory, errno) }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unusableRecording(path, errno) }
        file = try OwnedDescriptor(descriptor, of: "open")
        state.withLock { flush(&$0) }
    }

    /// Whether nothing more can be kept: it has reached its size, or the disk has failed.
    public var isFull: Bool { state.withLock { $0.isFull || $0.failure != nil } }

    /// What was left out so far.
    public var omitted: [Recording.Omission: UInt64] { state.withLock(\.omitted) }

    /// How large it is.
    public var size: Int64 { state.withLock(\.size) }

    /// Adds a source and returns its number.
    func add(_ source: Recording.Source) -> Int {
        state.withLock { state in
            defer { state.sources += 1 }
            append(RecordingPart.makeSource(source, number: state.sources), to: &state)
            return state.sources
        }
    }

    /// A call of a source begins now; returns what its clocks show during that.
    func begin(_ source: Int, _ call: Recording.Call) -> (Timestamp, MonotonicInstant) {
        // Read under the lock: calls are in the order of their times.
        state.withLock { state in
            // A kill of this process costs what is read from here to the next call only.
            flush(&state)
            let (time, instant) = (clock.wallTime, clock.monotonicTime)
            append(RecordingPart.makeFrame(source, call, time, instant), to: &state)
            return (time, instant)
        }
    }

    /// Keeps what a source has read.
    func keep(_ source: Int, _ key: String, _ bytes: UnsafeRawBufferPointer) {
        state.withLock { state in
            guard bytes.count <= Recording.valueLimit else {
                state.omitted[.oversized, default: 0] &+= 1
                return
            }
            append(RecordingPart.makeAnswer(source, key, bytes), to: &state)
        }
    }

    /// Writes the end.
    ///
    /// Throws `SND-REC003`.
    public func finish() throws(SondeError) {
        let failure = state.withLock { state in
            state.buffer += RecordingPart.makeEnd(state.omitted)
            flush(&state)
            return state.failure
        }
        if let failure { throw .unusableRecording(path, failure) }
    }

    private func append(_ part: [UInt8], to state: inout State) {
        // What follows on something that was left out cannot be replayed: nothing more is kept.
        guard !state.isFull, state.size &+ Int64(part.count) <= limit else {
            state.isFull = true
            state.omitted[.size, default: 0] &+= 1
            return
        }
        state.size &+= Int64(part.count)
        state.buffer += part
        if state.buffer.count >= Self.bufferSize { flush(&state) }
    }

    private func flush(_ state: inout State) {
        guard state.failure == nil else { return }
        if !DescriptorWriter.write(state.buffer, to: file.raw) { state.failure = errno }
        state.buffer.removeAll(keepingCapacity: true)
    }
}

extension RecordingFile {
    /// Reads the recording in a directory, or a file that is one.
    ///
    /// Throws `SND-REC001` to `SND-REC003`.
    public static func read(_ directory: String) throws(SondeError) -> Recording {
        var status = stat()
        let isDirectory = stat(directory, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        let path = isDirectory ? "\(directory)/\(name)" : directory
        let contents: FileContents
        do throws(FileReadFailure) {
            contents = try PosixFileReader().read(path, limit: Recording.sizeLimit)
        } catch {
            throw .unusableRecording(path, because: error.reason)
        }
        return try Recording(contents.bytes)
    }
}

extension SondeError {
    fileprivate static func unusableRecording(_ path: String, _ number: Int32) -> SondeError {
        unusableRecording(path, because: String(cString: strerror(number)))
    }

    fileprivate static func unusableRecording(_ path: String, because reason: String) -> SondeError {
        SondeError(
            .recordingUnusable, stage: .inspect, class: .configuration,
            message: "the recording '\(path)' cannot be used: \(reason)",
            recovery: [
                .advise("Name a directory that is not there yet to record, and one that 'sonde record' made to replay.")
            ])
    }
}
