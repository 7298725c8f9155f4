/// What the counts of a device are, compared with the reading before.
enum LinkVerdict: Hashable {
    /// The first reading.
    case first
    /// They continued.
    case ok
    /// Counts that the driver keeps in 32 bits passed their end: they continue here.
    case wrapped
    /// They started again, and the series with them.
    case reset(ResetCause)
    /// The device was deleted and made again, under the same name or number.
    case recreated
    /// It is the same device under another name.
    case renamed

    /// Why counts started again.
    enum ResetCause: String {
        /// The kernel is another one: the process was moved to another host, or back in time.
        case boot
        /// The carrier came or went in between: the driver started from zero.
        case carrier
        /// The driver set them back.
        case driver
        /// They rose by more than the link can carry.
        case implausible
    }

    /// The words of the attributes `sonde.counter.verdict` and `sonde.counter.cause`; nil for what is no event.
    var words: (verdict: String, cause: String?)? {
        switch self {
        case .first, .ok: nil
        case .wrapped: ("wrapped", nil)
        case .reset(let cause): ("reset", cause.rawValue)
        case .recreated: ("recreated", nil)
        case .renamed: ("renamed", nil)
        }
    }
}
