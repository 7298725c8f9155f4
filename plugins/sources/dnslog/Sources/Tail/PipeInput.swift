internal import Glibc
internal import SondePluginKit

/// Lines from a FIFO, a pipe or a terminal: what cannot be read again.
final class PipeInput {
    /// The result of one read.
    enum Outcome {
        case progressed
        /// There is nothing more at the moment.
        case atEnd
        case failed(errno: Int32)
    }

    /// Whether something can come.
    enum State {
        case open
        /// The FIFO has no writer; a new one may open it.
        case waiting
        /// Nothing can come any more.
        case ended
    }

    let descriptor: Int32
    /// Which FIFO it is; nil for standard input.
    let identity: FileIdentity?
    private(set) var state = State.open
    private let buffer: ReadBuffer
    /// How much of the buffer is the beginning of a line whose end has not come.
    private var kept = 0
    private var cutter: LineCutter

    /// A FIFO, opened without waiting; takes over the descriptor.
    init(_ log: OpenedLog, lineLimit: Int) {
        descriptor = log.descriptor
        identity = FileIdentity(log.status)
        buffer = ReadBuffer(lineLimit: lineLimit)
        cutter = LineCutter(limit: lineLimit)
    }

    /// Standard input, or its replacement; the descriptor is left open.
    init(standardInput descriptor: Int32, lineLimit: Int) {
        self.descriptor = descriptor
        identity = nil
        buffer = ReadBuffer(lineLimit: lineLimit)
        cutter = LineCutter(limit: lineLimit)
    }

    deinit {
        if identity != nil { close(descriptor) }
    }

    /// Reads once, without waiting, and hands on the whole lines found.
    @inline(__always)
    func read(_ counts: inout TailCounts, _ body: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        guard state != .ended, isReadable else { return .atEnd }
        let room = buffer.bytes.count &- kept
        let count = Glibc.read(descriptor, buffer.bytes.baseAddress.map { $0 + kept }, room)
        guard count >= 0 else {
            return errno == EAGAIN || errno == EINTR ? .atEnd : .failed(errno: errno)
        }
        guard count > 0 else {
            finish(&counts, body)
            return .atEnd
        }
        state = .open
        counts.bytes &+= UInt64(count)
        let filled = buffer.filled(kept &+ count)
        let used = cutter.cut(filled, &counts, body)
        kept = filled.count &- used
        if used > 0, kept > 0, let base = buffer.bytes.baseAddress { memmove(base, base + used, kept) }
        return .progressed
    }

    /// All writers are gone: what they left without a line end is a line.
    private func finish(_ counts: inout TailCounts, _ body: (UnsafeRawBufferPointer) -> Void) {
        cutter.finish(buffer.filled(kept), &counts, body)
        kept = 0
        state = identity == nil ? .ended : .waiting
    }

    /// Standard input may be shared with others, so that it is not made non-blocking.
    private var isReadable: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }
}
