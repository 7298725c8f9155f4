internal import Glibc
public import SondeEngine

/// The resource usage of this process.
public enum ProcessUsage {
    /// The current values; a few system calls, and no walk over the whole process.
    public static var figures: ProcessFigures {
        var figures = ProcessFigures()
        figures.memory = residentBytes
        figures.descriptors = descriptorCount
        figures.threads = threadCount
        var usage = rusage()
        guard getrusage(RUSAGE_SELF.rawValue, &usage) == 0 else { return figures }
        figures.userSeconds = seconds(usage.ru_utime)
        figures.systemSeconds = seconds(usage.ru_stime)
        return figures
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }

    /// Memory that it has (`VmRSS`).
    private static var residentBytes: UInt64? { pages.map { bytes($0.resident) } }

    /// Memory that it has and that no file stands behind: the heap, above all (`RssAnon`).
    static var anonymousBytes: UInt64? {
        pages.flatMap { $0.resident >= $0.shared ? bytes($0.resident - $0.shared) : nil }
    }

    /// proc_pid_statm(5): how many pages it has, and how many of them are of files or shared memory.
    private static var pages: (resident: UInt64, shared: UInt64)? {
        guard let text = try? PosixFileReader().read("/proc/self/statm", limit: 4_096).text else { return nil }
        let fields = text.split(separator: " ")
        guard fields.count > 2, let resident = UInt64(fields[1]), let shared = UInt64(fields[2]) else { return nil }
        return (resident, shared)
    }

    private static func bytes(_ pages: UInt64) -> UInt64 {
        pages.multipliedReportingOverflow(by: UInt64(clamping: sysconf(Int32(_SC_PAGESIZE)))).partialValue
    }

    /// The kernel has the number as the directory's size since Linux 6.2; before, its entries are counted.
    private static var descriptorCount: UInt64? {
        var entry = stat()
        guard stat("/proc/self/fd", &entry) == 0 else { return nil }
        return entry.st_size > 0 ? UInt64(entry.st_size) : countedDescriptors
    }

    private static var countedDescriptors: UInt64? {
        guard let directory = opendir("/proc/self/fd") else { return nil }
        defer { closedir(directory) }
        var entries: UInt64 = 0
        while readdir(directory) != nil { entries += 1 }
        // `.`, `..` and the directory that is open here.
        return entries > 3 ? entries - 3 : nil
    }

    /// A directory has a link from itself, from its parent and from each directory in it: one for each thread.
    private static var threadCount: UInt64? {
        var entry = stat()
        guard stat("/proc/self/task", &entry) == 0, entry.st_nlink > 2 else { return nil }
        return UInt64(entry.st_nlink) - 2
    }
}
