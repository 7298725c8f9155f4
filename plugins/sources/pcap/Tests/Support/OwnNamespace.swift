import Foundation
import Glibc
import Synchronization

/// A network namespace of one thread, in which nobody else is.
///
/// A namespace belongs to a thread: the rest of the process stays where it is.
enum OwnNamespace {
    struct Unavailable: Error {}

    static var isPermitted: Bool { geteuid() == 0 }

    /// Runs `body` in a new namespace.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
        let cell = Cell<Value>()
        let finished = DispatchSemaphore(value: 0)
        let thread = Thread {
            let value = Result {
                try enter()
                return try body()
            }
            cell.value.withLock { $0 = value }
            finished.signal()
        }
        thread.start()
        finished.wait()
        return try cell.value.withLock { try $0.get() }
    }

    private final class Cell<Value: Sendable>: Sendable {
        let value = Mutex<Result<Value, any Error>>(.failure(Unavailable()))
    }

    private static func enter() throws {
        // sched.h: CLONE_NEWNET. Swift's Glibc module has not the function.
        let newNetwork: Int32 = 0x4000_0000
        guard
            let library = dlopen(nil, RTLD_NOW),
            let unshare = dlsym(library, "unshare")
        else { throw Unavailable() }
        typealias Unshare = @convention(c) (Int32) -> Int32
        // dlsym gives an address without a type; unshare(2) tells it.
        guard unsafeBitCast(unshare, to: Unshare.self)(newNetwork) == 0 else { throw Unavailable() }
    }
}
