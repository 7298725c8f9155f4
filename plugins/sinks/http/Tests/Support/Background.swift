import Foundation

/// Work on its own thread, to be waited for.
struct Background<Value> {
    private let outcome = Outcome<Value>()

    init(_ body: @escaping () throws -> Value) {
        let outcome = outcome
        outcome.body = body
        Thread.detachNewThread { outcome.run() }
    }

    /// Waits for the end.
    func wait() throws -> Value { try outcome.wait() }
}

// Unchecked: body is set before the thread begins, the result is read after it has signalled.
private final class Outcome<Value>: @unchecked Sendable {
    var body: (() throws -> Value)?
    private var result: Result<Value, any Error>?
    private let done = DispatchSemaphore(value: 0)

    func run() {
        result = body.map { body in Result { try body() } }
        done.signal()
    }

    func wait() throws -> Value {
        done.wait()
        guard let result else { throw Loopback.Failure(call: "thread") }
        return try result.get()
    }
}

/// Something that happens once.
struct Signal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func fire() { semaphore.signal() }
    func wait() { semaphore.wait() }
}
