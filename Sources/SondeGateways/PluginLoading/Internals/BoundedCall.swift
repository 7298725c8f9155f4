internal import SondeDomain
internal import SondeEngine

/// A call into a plugin that no loop watches: made on a separate thread, with a bounded wait.
enum BoundedCall {
    // Written by the thread, read when that was joined.
    private final class Answer<Value>: @unchecked Sendable {
        let body: () -> Value
        var value: Value?

        init(_ body: @escaping () -> Value) {
            self.body = body
        }
    }

    /// What `body` returns; nil when it has not returned in time: its thread is abandoned, with what it holds.
    static func run<Value>(_ body: @escaping () -> Value) throws(SondeError) -> Value? {
        let answer = Answer(body)
        let thread = try PluginThread(name: "plugin") { answer.value = answer.body() }
        guard thread.join(by: SystemClock().monotonicTime.advanced(by: CallConditions.setupLimit)) else {
            thread.detach()
            return nil
        }
        return answer.value
    }
}
