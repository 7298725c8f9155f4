internal import Glibc
internal import SondeDomain
internal import SondeEngine

/// The agent's connection to one child: its channel, and what is served while a call waits for it.
///
/// Belongs to the thread that calls the instance.
final class ChildLink {
    /// How long an answer is waited for.
    enum Patience {
        /// So long in all.
        case limited(Nanoseconds)
        /// For as long as there is a frame at least this often: the child sends a beat every five seconds.
        case alive(every: Nanoseconds)
        /// Until the process ends: the call has a deadline, and who watches that kills it.
        case watched
    }

    private static let lineLimit = 8 << 10

    private let ends: ChildProcess.Ends
    private let log: (String) -> Void
    private let clock = SystemClock()
    private var line: [UInt8] = []
    private var isReadingErrors = true
    private var call: UInt32 = 0
    private var cancel: Int32 = -1
    private var patience = Patience.watched
    private var deadline = MonotonicInstant.distantFuture
    private var channel: FrameChannel?

    /// A connection; `log` gets the lines that the child writes to its standard error.
    init(_ ends: ChildProcess.Ends, log: @escaping (String) -> Void) {
        self.ends = ends
        self.log = log
    }

    /// Sends a request and serves what the child asks meanwhile, until it answers.
    ///
    /// `serve` returns nil for what is no answer.
    func exchange<Result>(
        _ kind: ChildFrame.Kind,
        _ patience: Patience,
        _ body: (inout ByteWriter) -> Void,
        _ serve: (FrameChannel, ChildFrame.Kind, inout ByteReader) throws(ChannelFlaw) -> Result?
    ) throws(ChannelFlaw) -> Result {
        let channel = opened()
        self.patience = patience
        deadline = patience.time.map { clock.monotonicTime.advanced(by: $0) } ?? .distantFuture
        try channel.send(kind, body)
        while true {
            if case .alive(let time) = patience { deadline = clock.monotonicTime.advanced(by: time) }
            let result = try channel.receive { kind, reader throws(ChannelFlaw) in try serve(channel, kind, &reader) }
            if let result { return result }
        }
    }

    /// The number of a call that `cancel` can end early.
    func beginCall(_ cancel: Int32) -> UInt32 {
        call &+= 1
        self.cancel = cancel
        return call
    }

    /// Logs what the child has written to its standard error before its end.
    func readLastErrors() {
        while isReadingErrors {
            var descriptor = pollfd(fd: ends.errors.raw, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, 0) == 1 else { break }
            readErrors()
        }
        if !line.isEmpty { endLine() }
    }

    private func opened() -> FrameChannel {
        if let channel { return channel }
        let made = FrameChannel(ends.channel) { [unowned self] (socket, event) throws(ChannelFlaw) in
            try wait(socket, event)
        }
        channel = made
        return made
    }

    private func wait(_ socket: Int32, _ event: Int16) throws(ChannelFlaw) {
        var descriptors = [
            pollfd(fd: socket, events: event, revents: 0),
            pollfd(fd: cancel, events: Int16(POLLIN), revents: 0),
            pollfd(fd: isReadingErrors ? ends.errors.raw : -1, events: Int16(POLLIN), revents: 0),
        ]
        let ready = poll(&descriptors, 3, timeout())
        guard ready != 0 else { throw .silent(patience.time ?? .zero) }
        guard ready > 0 else { return }
        if descriptors[2].revents != 0 { readErrors() }
        if descriptors[1].revents != 0 { sendCancel() }
    }

    /// Milliseconds until the deadline, rounded up; -1: there is none.
    private func timeout() -> Int32 {
        guard deadline != .distantFuture else { return -1 }
        let left = deadline.since(clock.monotonicTime)
        return Int32(clamping: max(0, left.value) / 1_000_000 + 1)
    }

    /// Names the call that should end, so that it cannot be taken for the next one.
    private func sendCancel() {
        cancel = -1
        var number = call.littleEndian
        _ = write(ends.input.raw, &number, MemoryLayout<UInt32>.size)
    }

    private func readErrors() {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(ends.errors.raw, &bytes, bytes.count)
        guard count > 0 else {
            isReadingErrors = count < 0 && errno == EINTR
            return
        }
        for byte in bytes[..<count] {
            if byte == 0x0a || line.count >= Self.lineLimit { endLine() }
            if byte != 0x0a { line.append(byte) }
        }
    }

    private func endLine() {
        if !line.isEmpty { log(String(decoding: line, as: UTF8.self)) }
        line.removeAll(keepingCapacity: true)
    }
}

extension ChildLink.Patience {
    /// How long nothing may come; nil: for ever.
    fileprivate var time: Nanoseconds? {
        switch self {
        case .limited(let time), .alive(let time): time
        case .watched: nil
        }
    }
}
