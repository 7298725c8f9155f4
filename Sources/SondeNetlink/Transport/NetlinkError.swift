internal import Glibc

/// Why the kernel could not be asked, or did not answer.
public struct NetlinkError: Error, Hashable, Sendable {
    /// The operation that failed.
    public enum Step: Hashable, Sendable {
        /// The socket was opened.
        case open
        /// A request was sent.
        case request
        /// An answer was waited for.
        case answer
    }

    /// The operation that failed.
    public let step: Step
    /// The `errno` of the call, or the one that the kernel answered with.
    public let number: Int32

    /// An error.
    public init(_ step: Step, _ number: Int32) {
        self.step = step
        self.number = number
    }

    /// Whether asking again does not help: not allowed here, or a request that the kernel does not support.
    public var isRefusal: Bool {
        switch number {
        case EPERM, EACCES, EOPNOTSUPP, EAFNOSUPPORT, EPROTONOSUPPORT, EINVAL, ENOSYS: true
        default: false
        }
    }

    /// Whether the thing that was asked about does not exist.
    public var isAbsence: Bool { number == ENODEV || number == ENOENT || number == ENXIO }

    /// Whether the answer is larger than what it is received into.
    public var isOversized: Bool { number == EMSGSIZE }

    /// Whether the same dump may work at once: another one was running (EBUSY), or the answer did not fit (ENOBUFS).
    var isMomentary: Bool { number == EBUSY || number == ENOBUFS || number == EAGAIN || number == EINTR }

    /// The system's message.
    public var message: String { String(cString: strerror(number)) }
}
