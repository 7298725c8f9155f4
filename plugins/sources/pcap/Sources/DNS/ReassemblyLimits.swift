/// What bounds a ``TCPReassembly``.
struct ReassemblyLimits {
    /// How many streams are followed; each direction of a connection is one.
    var streams = 4096
    /// How many bytes all streams may hold together.
    var bytes = 8 << 20
    /// After how long without a segment a stream is removed, in nanoseconds.
    var idle: Int64 = 10_000_000_000
    /// How long missing bytes are waited for, in nanoseconds.
    var patience: Int64 = 1_000_000_000

    /// The most bytes that one stream may hold: the longest message and its length.
    static let bytesPerStream = 65_537
}
