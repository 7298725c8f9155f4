/// What a new reading of a counter is, compared with the one before.
public enum CounterVerdict: String, Hashable, Sendable {
    /// The first reading: no delta.
    case first
    /// It continued.
    case ok
    /// It passed the end of its width and continued from zero.
    case wrap
    /// It started again: no delta, and the count has a new start.
    case reset
}
