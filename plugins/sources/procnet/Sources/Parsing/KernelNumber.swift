/// A number as the kernel printed it.
struct KernelNumber: Hashable {
    /// What the magnitude means.
    enum Form: UInt8 {
        /// The magnitude itself.
        case unsigned
        /// The magnitude below zero.
        case negative
        /// More than 64 bits: the magnitude is meaningless.
        case outOfRange
        /// No number was there: its row was skipped.
        case absent
    }

    var magnitude: UInt64
    var form: Form

    static let absent = KernelNumber(magnitude: 0, form: .absent)

    /// The number below zero as a signed integer, or nil when it does not fit.
    var negated: Int64? {
        guard form == .negative else { return nil }
        guard magnitude <= UInt64(Int64.max) else { return magnitude == 1 << 63 ? .min : nil }
        return -Int64(magnitude)
    }
}
