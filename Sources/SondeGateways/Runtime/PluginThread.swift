internal import CLinux
internal import Glibc
public import SondeDomain

/// A thread of one plugin instance.
public final class PluginThread: Sendable {
    private final class Body {
        let name: String
        let run: @Sendable () -> Void

        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    // Enough for libcurl with TLS; the default of 8 MB is only address space, but counts on a host with a memory limit.
    private static let stackSize = 1 << 20

    private let thread: pthread_t

    /// Starts a thread that runs `body` once.
    ///
    /// Signals are blocked in it, as they are in the thread that starts it.
    public init(name: String, _ body: @escaping @Sendable () -> Void) throws(SondeError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, Self.stackSize)
        let context = Unmanaged.passRetained(Body(name: name, run: body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            &attributes,
            { context in
                guard let context else { return nil }
                let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
                // The kernel keeps 15 characters, for `top -H` and `perf`.
                sonde_set_thread_name(body.name)
                body.run()
                return nil
            },
            context.toOpaque()
        )
        guard code == 0 else {
            context.release()
            throw SystemCall.failure("pthread_create", code)
        }
        self.thread = thread
    }

    /// Detaches the thread; it is not joined.
    public func detach() {
        pthread_detach(thread)
    }

    /// Waits until the thread has ended.
    public func join() {
        pthread_join(thread, nil)
    }

    /// Waits until the thread has ended, and not longer than until an instant; false: it has not, and it can be joined
    /// later.
    public func join(by instant: MonotonicInstant) -> Bool {
        let (seconds, rest) = max(0, instant.nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
        var end = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
        return pthread_clockjoin_np(thread, nil, CLOCK_MONOTONIC, &end) == 0
    }
}
