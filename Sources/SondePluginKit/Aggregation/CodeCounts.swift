/// Counts 16-bit codes exactly, for any set of codes.
///
/// Pages of 256 numbers are taken when a code of them first comes: 2 KiB for what is usual, half a megabyte at most.
public struct CodeCounts: ~Copyable {
    @usableFromInline typealias Page = UnsafeMutablePointer<UInt64>

    @usableFromInline let pages: UnsafeMutablePointer<Page?>

    /// No code has come yet.
    public init() {
        pages = .allocate(capacity: 256)
        pages.initialize(repeating: nil, count: 256)
    }

    deinit {
        for index in 0..<256 { pages[index]?.deallocate() }
        pages.deallocate()
    }

    /// Counts one more of a code.
    @inlinable
    @inline(always)
    public mutating func add(_ code: UInt16) {
        let page = pages[Int(code >> 8)] ?? takePage(Int(code >> 8))
        page[Int(code & 255)] &+= 1
    }

    /// How often a code came.
    public subscript(code: UInt16) -> UInt64 {
        pages[Int(code >> 8)]?[Int(code & 255)] ?? 0
    }

    /// The codes that came, and how often.
    public var all: [(code: UInt16, count: UInt64)] {
        var found: [(code: UInt16, count: UInt64)] = []
        for high in 0..<256 as Range<UInt16> where pages[Int(high)] != nil {
            for code in (high << 8)...(high << 8 | 255) where self[code] > 0 { found.append((code, self[code])) }
        }
        return found
    }

    @inline(never)
    @usableFromInline
    mutating func takePage(_ index: Int) -> Page {
        let page = Page.allocate(capacity: 256)
        page.initialize(repeating: 0, count: 256)
        pages[index] = page
        return page
    }
}
