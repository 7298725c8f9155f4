internal import Glibc

/// How many processors there can be.
enum Processors {
    // CONFIG_NR_CPUS of the largest machines.
    private static let most = 8_192

    /// One more than the highest number that the kernel may give a processor.
    static var possible: Int {
        let text = KernelFile.text("/sys/devices/system/cpu/possible")
        if let highest = highest(text) { return highest + 1 }
        return min(max(1, sysconf(Int32(_SC_NPROCESSORS_CONF))), most)
    }

    /// The last number of a list such as `0-3,8`; nil: it is none.
    static func highest(_ list: String) -> Int? {
        let digits = list.utf8.reversed().prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ",") }
        guard let number = Array(digits.reversed())[...].decimal, number < most else { return nil }
        return Int(number)
    }
}
