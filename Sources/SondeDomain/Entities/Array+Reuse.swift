extension Array {
    // What is larger the C library maps and unmaps each time, and each page of it is zeroed anew.
    private static var smallestReused: Int { (128 << 10) / MemoryLayout<Element>.stride }

    /// The array whose memory that of the next batch takes: this one where it is large and filled to a quarter at least, else an
    /// empty one.
    public var forReuse: [Element] {
        count >= Self.smallestReused && capacity / 4 <= count ? self : []
    }
}
