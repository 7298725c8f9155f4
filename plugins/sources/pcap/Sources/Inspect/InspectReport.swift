internal import SondeDNS

/// What is in a capture file.
///
/// Unknown values are nil, and `null` in the JSON: never 0.
package struct InspectReport {
    /// Packets in the file.
    package var packets: UInt64 = 0
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
    package var failure: (code: String, message: String)?
    /// Why some counts are not exact, although the file was read to its end.
    package var warnings: [String] = []
    /// Frames by what they carry.
    var frames = FrameCounts()
    /// Frames with a broken header before the transport, and DNS messages that do not decode.
    var malformed: UInt64 = 0
    /// TCP segments and connections.
    package var tcp = TCP()
    /// Unordered 5-tuples of UDP.
    package var udpConversations: UInt64 = 0
    /// DNS messages and transactions.
    var dns = DNS()

    /// The totals of segments and connections.
    package struct TCP: Hashable {
        var counts = TCPCounts()
        /// Unordered 5-tuples.
        package var conversations: UInt64 = 0
    }

    /// The totals of unicast DNS; multicast DNS and LLMNR are not in it.
    struct DNS: Hashable {
        var queries: UInt64 = 0
        var responses: UInt64 = 0
        /// Transactions without a response in the file.
        var unanswered: UInt64 = 0
        /// Responses by extended code, as far as it was captured.
        var codes: [NamedCount] = []
        /// Questions of queries by type.
        var types: [NamedCount] = []
        /// From the first query of a transaction to its first response.
        var responseTime = ResponseTimeSummary()
    }
}
