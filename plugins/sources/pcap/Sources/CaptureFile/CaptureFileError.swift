/// Why a capture file cannot be read, or not to its end.
package enum CaptureFileError: Error, Hashable {
    /// It begins like no capture file.
    case notCapture
    /// An unknown version of the format.
    case unsupportedVersion(String)
    /// It ends in the middle of something, at this byte of the (uncompressed) file.
    case truncated(at: UInt64)
    /// A packet or block that is longer than can be.
    case tooLong(length: UInt64, at: UInt64)
    /// A block whose parts contradict each other.
    case malformed(String, at: UInt64)
    /// More interfaces in a section than are kept.
    case tooManyInterfaces(at: UInt64)
    /// The gzip data is damaged.
    case compression(String)
    /// The system refused to read, with this `errno`.
    case unreadable(Int32)
    /// The caller requested the end.
    case cancelled
}
