/// Allocations that are kept out of the heap: each has pages of its own, which the system gets back as soon as it is freed, and
/// leaves no hole among small ones that live on.
public enum MappedAllocation {
    /// The size from which an allocation is mapped, in bytes; `M_MMAP_THRESHOLD` of mallopt(3).
    public static var smallest: Int { 16 << 10 }
}
