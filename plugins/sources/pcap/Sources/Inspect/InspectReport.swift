internal import SondeFormats

/// What is in a capture file.
///
/// What nothing counts yet is nil, and `null` in the JSON: never 0.
struct InspectReport {
    /// Packets in the file.
    var packets: UInt64 = 0
    /// Their lengths on the wire, whole frames.
    var bytes: UInt64 = 0
    /// What of them is in the file.
    var capturedBytes: UInt64 = 0
    /// From the earliest to the latest packet, in nanoseconds; nil without times.
    var duration: Int64?
    /// Bytes of the busiest second, counted from the first packet; nil without times.
    var peakBytesPerSecond: UInt64?
    /// The names of the link types, in the order of the file.
    var linkTypes: [String] = []
    /// Why the file could not be read, or not to its end.
    var failure: (code: String, message: String)?

    /// The parts that other counts fill in, in the order of the JSON.
    static let parts = ["ipv4", "ipv6", "other", "fragments", "malformed", "tcp", "udp", "icmp", "dns"]
}
