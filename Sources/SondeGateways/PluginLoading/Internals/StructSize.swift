/// Reads arrays whose elements may be larger than this side knows them.
enum StructSize {
    // Far above what a later version appends; a larger one is garbage.
    private static let limit = 4096

    /// The distance between elements that begin with the first one's `struct_size`; nil when it cannot be right.
    static func stride(of first: UnsafeRawPointer, atLeast known: Int, alignment: Int) -> Int? {
        let size = Int(first.loadUnaligned(as: UInt32.self))
        return (known...limit).contains(size) && size % alignment == 0 ? size : nil
    }
}
