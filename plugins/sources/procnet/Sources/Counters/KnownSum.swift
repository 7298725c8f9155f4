/// A sum that is known only when every part of it is.
///
/// What one part lacks cannot be distinguished from zero in a smaller sum.
struct KnownSum: Equatable {
    /// The sum so far, zero of nothing; nil once a part was not known.
    private(set) var value: UInt64? = 0

    init() {}

    /// A sum of one part.
    init(_ part: UInt64?) {
        value = part
    }

    /// Adds a part; nil is not known.
    mutating func add(_ part: UInt64?) {
        guard let sum = value, let part else {
            value = nil
            return
        }
        value = sum &+ part
    }
}
