internal import Glibc
internal import SondeDomain

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
