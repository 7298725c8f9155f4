internal import Glibc
internal import Synchronization

/// A network namespace of one thread, in which nobody else is.
///
/// A namespace belongs to a thread: the rest of the process stays where it is.
public enum OwnNamespace {
    /// The system made no thread or no namespace.
    public struct Unavailable: Error {}

    /// Whether the process may make one.
    public static var isPermitted: Bool { geteuid() == 0 }

    /// Runs `body` on a thread in a new namespace, and waits for it.
    public static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
        try run { _ in try body() }
    }

    /// Runs `body` on a thread in a new namespace with the directory that stands for `/proc` there, and waits for it.
    public static func run<Value: Sendable>(_ body: @escaping @Sendable (_ proc: String) throws -> Value) throws
        -> Value
    {
        let outcome = Outcome<Value>()
        let work = Unmanaged.passRetained(
            Work {
                let result = Result { try body(try enter()) }
                outcome.result.withLock { $0 = result }
            })
        var thread = pthread_t()
        let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
            return nil
        }
        guard pthread_create(&thread, nil, start, work.toOpaque()) == 0 else {
            work.release()
            throw Unavailable()
        }
        pthread_join(thread, nil)
        return try outcome.result.withLock { try $0.get() }
    }

    private final class Work: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    private final class Outcome<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>>(.failure(Unavailable()))
    }

    private static func enter() throws -> String {
        // sched.h: CLONE_NEWNET. Swift's Glibc module has neither function.
        let newNetwork: Int32 = 0x4000_0000
        guard let library = dlopen(nil, RTLD_NOW), let unshare = dlsym(library, "unshare"),
            let gettid = dlsym(library, "gettid")
        else { throw Unavailable() }
        typealias Unshare = @convention(c) (Int32) -> Int32
        typealias Gettid = @convention(c) () -> pid_t
        // dlsym gives addresses without a type; unshare(2) and gettid(2) say which.
        guard unsafeBitCast(unshare, to: Unshare.self)(newNetwork) == 0 else { throw Unavailable() }
        return "/proc/self/task/\(unsafeBitCast(gettid, to: Gettid.self)())"
    }
}
