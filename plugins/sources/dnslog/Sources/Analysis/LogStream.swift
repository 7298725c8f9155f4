/// What is known of one file or pipe whose lines come.
///
/// Its state lies behind a plain pointer, so that no exclusive access is checked for a line. Use it from one thread.
final class LogStream {
    struct State: ~Copyable {
        var prefixes = PrefixReader()
        var clock: LogClock
        /// The format of its lines; nil until one of them tells.
        var format: LogFormat?
        /// Where the events go; nil as long as the format is.
        var analysis: UnsafeMutablePointer<LogAnalysis>?
    }

    let state: UnsafeMutablePointer<State>

    init(longestStep: Int64) {
        state = .allocate(capacity: 1)
        state.initialize(to: State(clock: LogClock(longestStep: longestStep)))
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }
}
