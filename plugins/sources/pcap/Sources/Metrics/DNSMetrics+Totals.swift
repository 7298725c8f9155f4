internal import SondeDNS
internal import SondeDomain

extension DNSMetrics {
    static let malformed = counter("message.malformed", "{message}", [], "Unicast messages that do not decode.")
    static let unreadable = counter(
        "message.unreadable",
        "{message}",
        [],
        "Unicast messages that were cut before their flags: neither query nor response."
    )

    static let serverQueries = counter(
        "server.query.count",
        "{query}",
        ["server.address", "server.port"],
        "Queries to this host by the address and port they were sent to; at most 64, all others without a port."
    )

    private static let service = ["sonde.dns.service"]
    static let localQueries = counter(
        "local.query.count", "{query}", service, "Queries of mdns and llmnr, which are in no other metric of DNS.")
    static let localResponses = counter("local.response.count", "{response}", service, "Responses of mdns and llmnr.")
    static let localMalformed = counter(
        "local.message.malformed", "{message}", service, "Messages of mdns and llmnr that do not decode.")

    static let transactionBytes = gauge("transaction.table.size", "By", "Memory of the table of transactions.")
    static let streamBytes = gauge("stream.buffer.size", "By", "Memory that waits for the rest of messages over TCP.")

    static let streamMessages = counter(
        "stream.message.count", "{message}", [], "Messages that were reassembled from TCP segments.")
    static let streamGaps = counter(
        "stream.gap.count", "{gap}", [], "Places where a stream went on behind missing bytes.")
    static let streamIncomplete = counter(
        "stream.incomplete", "{message}", [], "Messages over TCP that were dropped incomplete.")
    static let streamUnsynchronized = counter(
        "stream.unsynchronized", "{segment}", [], "Segments in which no beginning of a message was found.")
    static let streamEvicted = counter(
        "stream.evicted", "{stream}", [], "Streams that were evicted because the memory for them was full.")

    static var totals: [MetricDefinition] {
        [
            malformed, unreadable, serverQueries, localQueries, localResponses, localMalformed,
        ] + TopMetrics.dns.distinct + [
            transactionBytes, streamBytes, streamMessages, streamGaps, streamIncomplete, streamUnsynchronized,
            streamEvicted,
        ]
    }

    private static func gauge(_ name: String, _ unit: String, _ meaning: String) -> MetricDefinition {
        MetricDefinition("sonde.dns.wire." + name, .gauge, unit: unit, meaning: meaning)
    }
}
