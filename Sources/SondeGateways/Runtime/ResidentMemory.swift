internal import CLinux
internal import Glibc
internal import SondeDomain

/// Keeps what the process holds in memory close to what it uses.
///
/// Reading the configuration, relocating libraries and loading plugins touch several megabytes of code and constants that a
/// running agent never needs again, and the kernel maps whole neighbourhoods around each page touched. docs/decisions has
/// the figures.
public enum ResidentMemory {
    /// Makes all threads allocate from one heap, and keeps large allocations out of it: with a few threads that rarely
    /// allocate at once, an arena for each costs memory and gains nothing.
    ///
    /// Before any other thread exists.
    public static func shareOneHeap() {
        mallopt(M_ARENA_MAX, 1)
        // Set, because each large allocation that is freed would raise it, up to 32 MiB.
        mallopt(M_MMAP_THRESHOLD, Int32(MappedAllocation.smallest))
    }

    /// Bytes of anonymous memory beside what the heap's allocations have: its free pages, stacks, variables and what large
    /// allocations have touched; nil when it is not known.
    static var unusedBytes: UInt64? {
        // Large allocations are mapped: how much of them was touched, and is therefore in memory, the C library does not know.
        let used = UInt64(mallinfo2().uordblks)
        return ProcessUsage.anonymousBytes.flatMap { $0 >= used ? $0 - used : nil }
    }

    /// Releases the heap's free pages.
    public static func releaseHeap() {
        malloc_trim(0)
    }

    /// Releases the heap's free pages, and the code and constants of every loaded object; what is needed is mapped again
    /// at its next use.
    public static func release() {
        releaseHeap()
        sonde_release_unwritable_segments()
    }
}
