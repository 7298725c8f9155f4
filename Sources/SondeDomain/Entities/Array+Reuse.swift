extension Array {
    // What is larger is mapped anew for each batch, and zeroed, at a cost that shows; what is smaller costs more if each of several
    // sinks keeps it.
    private static var smallestReused: Int { (128 << 10) / MemoryLayout<Element>.stride }

    /// The array whose memory that of the next batch takes: this one where it is large and filled to a quarter at least, else an
    /// empty one.
    public var forReuse: [Element] {
        count >= Self.smallestReused && capacity / 4 <= count ? self : []
    }
}
