/// A set of Linux capabilities, capabilities(7).
public struct Capabilities: OptionSet, Hashable, Sendable {
    /// A bit for each, by its number in linux/capability.h.
    public let rawValue: UInt64

    /// Capabilities from the kernel's mask.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    // Those that plugins of a network agent ask for.
    private static let numbers: [(name: String, number: UInt64)] = [
        ("CAP_DAC_READ_SEARCH", 2), ("CAP_NET_BIND_SERVICE", 10), ("CAP_NET_ADMIN", 12), ("CAP_NET_RAW", 13),
        ("CAP_SYS_PTRACE", 19), ("CAP_SYS_ADMIN", 21), ("CAP_SYSLOG", 34), ("CAP_PERFMON", 38), ("CAP_BPF", 39),
    ]

    /// Those that a text names; names that are not known are left out.
    public init(namedIn text: String) {
        let words = text.utf8.split { !(($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7a || $0 == UInt8(ascii: "_")) }
        self.init(
            rawValue: Self.numbers.reduce(0) { mask, entry in
                words.contains { $0.elementsEqual(entry.name.utf8) } ? mask | 1 << entry.number : mask
            })
    }

    /// Their names, in the order of their numbers.
    public var names: [String] {
        Self.numbers.filter { rawValue & 1 << $0.number != 0 }.map(\.name)
    }
}
