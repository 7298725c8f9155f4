/// What a new reading of a counter is, compared with the one before.
public enum CounterVerdict: String, Hashable, Sendable {
    /// There is none before: no delta.
    case first
    /// It went on counting.
    case ok
    /// It passed the end of its width and went on from zero.
    case wrap
    /// It started again: no delta, and the count has a new start.
    case reset
}
