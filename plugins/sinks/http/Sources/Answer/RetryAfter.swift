internal import SondeDomain

/// What a receiver asks to wait: the `Retry-After` field of RFC 9110, section 10.2.3.
enum RetryAfter {
    /// The longest wait that is passed on.
    static let longest = Nanoseconds.seconds(900)
    /// The wait for a field that says nothing readable.
    static let unreadable = Nanoseconds.seconds(10)

    /// The wait that a response asks for, or nil when it carries no such field.
    static func wait(_ head: ResponseHead) -> Nanoseconds? {
        wait(head.values("retry-after").map(\.bytes), date: head.values("date").last?.bytes)
    }

    /// The wait that `values` ask for, or nil when there are none.
    ///
    /// Seconds, or a date from which the response's own `Date` is taken off: the local clock may be wrong, and the
    /// receiver's is the one that it counted with. The past and negative numbers mean no wait, what cannot be read means
    /// ``unreadable``, of several fields the longest holds, and ``longest`` bounds it.
    static func wait(_ values: [[UInt8]], date: [UInt8]?) -> Nanoseconds? {
        values.map { wait($0, date: date) }.max()
    }

    private static func wait(_ value: [UInt8], date: [UInt8]?) -> Nanoseconds {
        if let seconds = wholeSeconds(value) {
            return clamped(seconds)
        }
        guard let until = HTTPDate(value), let now = date.flatMap(HTTPDate.init) else { return unreadable }
        return clamped(until.seconds - now.seconds)
    }

    private static func clamped(_ seconds: Int64) -> Nanoseconds {
        min(max(.zero, .seconds(seconds)), longest)
    }

    // Saturates: a number of any length is a number.
    private static func wholeSeconds(_ value: [UInt8]) -> Int64? {
        let isNegative = value.first == 0x2d
        let digits = value.dropFirst(isNegative ? 1 : 0)
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let bound = Int64(1) << 40
        let number = digits.reduce(Int64(0)) { min($0 * 10 + Int64($1 - 0x30), bound) }
        return isNegative ? -number : number
    }
}
