internal import Glibc
internal import SondeDomain

/// A call into a plugin that no loop watches: made on a separate thread, with a bounded wait.
enum BoundedCall {
    /// How long create and destroy may take.
    static let limit = Nanoseconds.seconds(10)

    // Written by the thread before it gives the signal, read after it.
    private final class Answer<Value>: @unchecked Sendable {
        let body: () -> Value
        var value: Value?

        init(_ body: @escaping () -> Value) {
            self.body = body
        }
    }

    /// What `body` returns; nil when it has not returned in time: its thread is abandoned, with what it holds.
    static func run<Value>(_ body: @escaping () -> Value) throws(SondeError) -> Value? {
        let done = try CancelSignal()
        let answer = Answer(body)
        let thread = try PluginThread(name: "plugin") {
            answer.value = answer.body()
            done.cancel()
        }
        guard wait(for: done) else { return nil }
        thread.join()
        return answer.value
    }

    private static func wait(for done: CancelSignal) -> Bool {
        let end = SystemClock().monotonicTime.advanced(by: limit)
        while true {
            let rest = end.since(SystemClock().monotonicTime)
            guard rest.value > 0 else { return false }
            var descriptor = pollfd(fd: done.descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&descriptor, 1, Int32(clamping: rest.value / 1_000_000 + 1)) > 0 { return true }
        }
    }
}
