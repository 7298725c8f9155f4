internal import CLinux
internal import Glibc
public import SondeDomain

/// The source of a runtime's signals.
///
/// Used from the loop's thread.
public protocol SignalSource: AnyObject {
    /// The descriptor that becomes readable when a signal has arrived.
    var descriptor: Int32 { get }
    /// The next signal that has arrived, or nil.
    func next() -> Int32?
}

/// Signals as a descriptor.
///
/// Make it before any other thread exists: threads inherit the blocked set.
public final class SignalReader: SignalSource {
    // Their default is the end of the process without a drain, and none is used here: a broken pipe and a file
    // that has grown too large are errors of the call, the others are sent by people and libraries for other purposes.
    private static let ignored = [SIGPIPE, SIGXFSZ, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGIO]

    private let event: OwnedDescriptor

    /// Keeps hang-ups from ending this process; one that arrives is read by the reader that is made later.
    public static func holdHangUps() {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGHUP)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Blocks `signals` in this thread and in all that it starts, and reads them from now on; ignores those that would
    /// only end the process.
    public init(_ signals: [Int32]) throws(SondeError) {
        for number in Self.ignored { signal(number, SIG_IGN) }
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        let code = pthread_sigmask(SIG_BLOCK, &set, nil)
        guard code == 0 else { throw SystemCall.failure("pthread_sigmask", code) }
        event = try OwnedDescriptor(
            signalfd(-1, &set, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK)),
            of: "signalfd"
        )
    }

    /// The descriptor that becomes readable when a signal has arrived.
    public var descriptor: Int32 { event.raw }

    /// The next signal that has arrived, or nil.
    public func next() -> Int32? {
        var info = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        return read(event.raw, &info, size) == size ? Int32(bitPattern: info.ssi_signo) : nil
    }
}
