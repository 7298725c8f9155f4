internal import Glibc
internal import SondeDomain

/// One connection: reads requests, writes answers, and reads on only when its answers were taken.
///
/// Memory is bounded by one line, one read and one answer, however slow the other side is.
final class ControlConnection {
    /// What is to be done with the connection.
    enum Next: Equatable {
        /// Wait until something comes.
        case read
        /// Wait until there is room for the rest of an answer.
        case write
        /// Wait until work is done that was handed over.
        case rest
        /// Close it.
        case close
    }

    // A loop that reads little at a time goes back to signals and timers soon.
    private static let chunk = 4_096

    let socket: OwnedDescriptor
    /// When it is closed unless a request is answered before.
    private(set) var deadline: MonotonicInstant
    private let idle: Nanoseconds
    private let dispatcher: ControlDispatcher
    private let handOver: (@escaping @Sendable () -> [UInt8]) throws(SondeError) -> UInt64
    /// The work whose end is waited for.
    private(set) var job: UInt64?
    private var lines = ControlLineBuffer()
    private var output: [UInt8] = []
    private var sent = 0
    private var isAtEnd = false

    /// A connection at its beginning; `handOver` begins work elsewhere and tells its number.
    init(
        _ socket: OwnedDescriptor,
        dispatcher: ControlDispatcher,
        idle: Nanoseconds,
        at now: MonotonicInstant,
        handOver: @escaping (@escaping @Sendable () -> [UInt8]) throws(SondeError) -> UInt64
    ) {
        self.socket = socket
        self.handOver = handOver
        self.dispatcher = dispatcher
        self.idle = idle
        deadline = now.advanced(by: idle)
    }

    /// Does what can be done without waiting.
    func serve(at now: MonotonicInstant) -> Next {
        guard job == nil else { return .rest }
        guard flush(), answerLines(at: now) else { return .close }
        // Nothing more is taken in before everything that was asked is answered.
        guard isQuiet else { return job == nil ? .write : .rest }
        guard receive(), answerLines(at: now) else { return .close }
        guard isQuiet else { return job == nil ? .write : .rest }
        return isAtEnd ? .close : .read
    }

    /// Work that was handed over has ended with this answer.
    func finish(_ answer: [UInt8], at now: MonotonicInstant) {
        job = nil
        output = answer
        deadline = now.advanced(by: idle)
    }

    private var isQuiet: Bool { output.isEmpty && job == nil }

    /// Answers the lines that are whole until an answer does not go out at once; false: the other side has gone.
    private func answerLines(at now: MonotonicInstant) -> Bool {
        while isQuiet, let line = lines.next() {
            guard let reply = dispatcher.reply(to: line) else { continue }
            switch reply {
            case .ready(let answer): output = answer
            case .later(let work): begin(work)
            }
            guard job == nil else { return true }
            guard flush() else { return false }
            deadline = now.advanced(by: idle)
        }
        return true
    }

    private func begin(_ work: @escaping @Sendable () -> [UInt8]) {
        do throws(SondeError) {
            job = try handOver(work)
            // The other side is not to blame for how long it takes.
            deadline = .distantFuture
        } catch {
            output = ControlDispatcher.refusal(error)
        }
    }

    /// Takes what has come; false: the connection is broken.
    private func receive() -> Bool {
        var broken = false
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, count in
            let result = recv(socket.raw, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            count = max(0, result)
            if result == 0 { isAtEnd = true }
            broken = result < 0 && errno != EAGAIN && errno != EINTR
        }
        // A line without its end may be half of one: it is not answered.
        lines.append(bytes)
        return !broken
    }

    /// Sends what there is room for; false: the connection is broken.
    private func flush() -> Bool {
        while sent < output.count {
            let result = output[sent...].withUnsafeBytes { rest in
                send(socket.raw, rest.baseAddress, rest.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            }
            if result < 0 && errno == EINTR { continue }
            guard result >= 0 else { return errno == EAGAIN }
            sent += result
        }
        output = []
        sent = 0
        return true
    }
}
