internal import Glibc
internal import SondeDomain

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

/// The units of the kernel that are no base units.
enum KernelScale: Hashable {
    /// Pages of memory, reported as bytes.
    case pages
    /// Milliseconds, reported as seconds.
    case milliseconds

    private static let pageSize = UInt64(clamping: sysconf(Int32(_SC_PAGESIZE)))

    /// The number in the base unit.
    func apply(_ number: UInt64) -> SampleValue {
        switch self {
        case .pages:
            let (bytes, overflow) = number.multipliedReportingOverflow(by: Self.pageSize)
            return .unsigned(overflow ? .max : bytes)
        case .milliseconds: return .double(Double(number) / 1_000)
        }
    }
}

extension UInt64 {
    /// The value of up to 16 hexadecimal digits, of either case and without a prefix; nil for anything else.
    init?(hexadecimal word: UnsafeRawBufferPointer) {
        guard !word.isEmpty, word.count <= 16 else { return nil }
        self = 0
        for byte in word {
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte &- 0x30
            case 0x41...0x46: digit = byte &- 0x37
            case 0x61...0x66: digit = byte &- 0x57
            default: return nil
            }
            self = self << 4 | UInt64(digit)
        }
    }
}
