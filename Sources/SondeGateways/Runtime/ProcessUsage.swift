internal import Glibc
internal import SondeEngine

/// What this process costs.
public enum ProcessUsage {
    /// Memory that it has, in bytes (`VmRSS`); nil: it is not known.
    public static var residentBytes: Double? {
        // proc_pid_statm(5): the second number counts pages.
        guard let text = try? PosixFileReader().read("/proc/self/statm", limit: 4_096).text else { return nil }
        let fields = text.split(separator: " ")
        guard fields.count > 1, let pages = Double(fields[1]) else { return nil }
        return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Processor time that it has used, in seconds; nil: it is not known.
    public static var processorSeconds: Double? {
        var usage = rusage()
        guard getrusage(RUSAGE_SELF.rawValue, &usage) == 0 else { return nil }
        return Double(usage.ru_utime.tv_sec) + Double(usage.ru_stime.tv_sec)
            + (Double(usage.ru_utime.tv_usec) + Double(usage.ru_stime.tv_usec)) / 1e6
    }
}
