import Foundation

/// Work that mostly waits for other processes, on threads of its own: where it blocked those of the tests, only as many as there
/// are processors would wait at a time.
enum WaitingWork {
    // More would keep each other from being in time: rules watch clocks.
    private static let threads: OperationQueue = {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 6
        return queue
    }()

    /// What `body` returns.
    static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            threads.addOperation { continuation.resume(with: Swift.Result(catching: body)) }
        }
    }
}
