/// What is known of one file or pipe whose lines come.
///
/// Its state is behind a plain pointer, so that no exclusive access is checked for a line. Use it from one thread.
final class LogStream {
    struct State: ~Copyable {
        var prefixes = PrefixReader()
        var clock: LogClock
        /// The format of its lines; nil until one of them shows it.
        var format: LogFormat?
        /// Where the events go; nil as long as the format is.
        var analysis: UnsafeMutablePointer<LogAnalysis>?
        /// Lines up to this kind are looked at twice: also empty events, as long as none has shown that the format
        /// that the option names is that of the file.
        var doubted = LogEvent.Kind.unrelated
        /// Lines without a tag that were in no known format, while that was not shown.
        var strangers = 0
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
