internal import CLinux
internal import Glibc
internal import SondeEngine

/// Keeps what the process holds in memory close to what it uses.
///
/// Reading the configuration, relocating libraries and loading plugins touch several megabytes of code that a running
/// agent never needs again, and the kernel maps whole neighbourhoods around each page touched. docs/decisions has the
/// figures.
public enum ResidentMemory {
    /// Makes all threads allocate from one heap: with a few threads that rarely allocate at once, an arena for each
    /// costs memory and gains nothing.
    ///
    /// Before any other thread exists.
    public static func shareOneHeap() {
        mallopt(M_ARENA_MAX, 1)
    }

    /// Releases the heap's free pages and the code that was mapped so far; what is needed is mapped again at its next
    /// use.
    ///
    /// Only executable mappings of files are released: they are never written, so the file holds all of them.
    public static func release() {
        malloc_trim(0)
        for range in executableFileMappings() {
            guard let start = UnsafeMutableRawPointer(bitPattern: range.lowerBound) else { continue }
            madvise(start, Int(range.upperBound - range.lowerBound), MADV_DONTNEED)
        }
    }

    /// The private, executable, unwritable mappings of files, proc_pid_maps(5).
    private static func executableFileMappings() -> [Range<UInt>] {
        guard let text = try? PosixFileReader().read("/proc/self/maps", limit: 1 << 18).text else { return [] }
        return text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            guard fields.count >= 6, fields[1] == "r-xp", fields[5].hasPrefix("/") else { return nil }
            let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard ends.count == 2, ends[0] < ends[1] else { return nil }
            return ends[0]..<ends[1]
        }
    }
}
