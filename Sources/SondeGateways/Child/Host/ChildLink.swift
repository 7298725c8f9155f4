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

    private let ends: ChildProcess.Ends
    private let errors: StandardErrorLines
    private let clock = SystemClock()
    private var call: UInt32 = 0
    private var cancel: Int32 = -1
    private var patience = Patience.watched
    private var deadline = MonotonicInstant.distantFuture
    private var channel: FrameChannel?

    /// A connection; `log` gets the lines that the child writes to its standard error.
    init(_ ends: ChildProcess.Ends, log: @escaping (String) -> Void) {
        self.ends = ends
        errors = StandardErrorLines(ends.errors, log: log)
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
    func readLastErrors() { errors.readRest() }

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
            pollfd(fd: errors.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let ready = poll(&descriptors, 3, deadline.pollTimeout(at: clock.monotonicTime))
        guard ready != 0 else { throw .silent(patience.time ?? .zero) }
        guard ready > 0 else { return }
        if descriptors[2].revents != 0 { errors.read() }
        if descriptors[1].revents != 0 { sendCancel() }
    }

    /// Names the call that should end, so that it cannot be taken for the next one.
    private func sendCancel() {
        cancel = -1
        var number = call.littleEndian
        _ = write(ends.input.raw, &number, MemoryLayout<UInt32>.size)
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
