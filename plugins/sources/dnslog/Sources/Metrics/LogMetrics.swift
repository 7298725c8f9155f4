internal import SondeDNS
internal import SondeDomain

/// Metrics of the log of a resolver, and of its reading.
///
/// What a format does not contain has no series: never a 0.
enum LogMetrics {
    /// Which resolver's format the lines are in.
    static let resolver = "sonde.dns.resolver"

    static let lines = log("line.count", "{line}", [resolver], "Lines that were read, of every kind.")
    static let unparsed = log(
        "line.unparsed", "{line}", [resolver], "Lines that are in none of the forms of their resolver.")
    static let undecided = log(
        "line.undecided", "{line}", [], "Lines before the first one that identified the format.")
    static let skipped = log("line.skipped", "{line}", [], "Lines that were too long to be read.")
    static let bytes = log("io", "By", [], "Bytes of the logs that were read.")
    static let rotations = log(
        "rotation.count", "{file}", [], "Files that took the place of the one that was read.")
    static let truncations = log(
        "truncation.count", "{file}", [], "Files that were cut short while they were read.")
    static let files = MetricDefinition(
        "sonde.dns.log.file.open", .gauge, unit: "{file}", meaning: "Files and pipes that are open."
    )

    static let queries = counter(
        "query.count", "{query}", [resolver, "network.transport", "network.type"], "Queries of clients.")
    static let questions = counter(
        "question.count", "{question}", [resolver, "sonde.dns.qtype"], "Queries by type.")
    static let unanswered = counter(
        "query.unanswered", "{query}", [resolver], "Queries without an answer within the option timeout.")
    static let dropped = counter(
        "query.dropped", "{query}", [resolver], "Queries that the resolver threw away by rule.")
    static let repeated = counter(
        "query.repeated", "{query}", [resolver], "Queries that shared the answer to another one.")
    static let evicted = counter(
        "query.evicted", "{query}", [resolver],
        "Queries that were evicted from the full table while they waited: their outcome is unknown.")
    static let responses = counter(
        "response.count", "{response}", [resolver, "sonde.dns.rcode", "sonde.dns.class", "sonde.dns.cached"],
        "Answers by code, class (success, denial, error) and cache; without a code where the log has none.")
    static let unasked = counter(
        "response.unasked", "{response}", [resolver], "Answers whose query is not in the log.")
    static let failures = counter(
        "failure.count", "{failure}", [resolver, "error.type"], "What the option failures calls a failure.")
    static let upstreamFailures = counter(
        "upstream.failure.count", "{failure}", [resolver, "server.address", "error.type"],
        "Answers and silences of other servers for which the resolver failed.")
    static let duration = MetricDefinition(
        "sonde.dns.resolver.response.duration",
        .histogram,
        unit: "s",
        attributes: [resolver, "sonde.dns.cached"],
        meaning: "How long answers took, as the resolver says."
    )
    static let pendingBytes = MetricDefinition(
        "sonde.dns.resolver.transaction.table.size", .gauge, unit: "By", attributes: [resolver],
        meaning: "Memory of the table of queries that wait.")

    /// Names and clients of an interval, as those of the packet source.
    static let top = DNSTopMetrics(
        .resolver,
        common: [resolver],
        failing: (
            "failing_name.interval.failures", "{failure}",
            "Failures of the interval for the names that had most of them."
        )
    )

    static let resolverAddress = MetricDefinition(
        "sonde.dns.resolver.address",
        .info,
        unit: "",
        attributes: ["server.address", "server.port"],
        meaning: "Where the resolver is asked, as the options or the messages of dnstap say."
    )

    static var all: [MetricDefinition] {
        [
            lines, unparsed, undecided, skipped, bytes, rotations, truncations, files, resolverAddress, queries,
            questions, unanswered,
            dropped, repeated, evicted, responses, unasked, failures, upstreamFailures, duration, pendingBytes,
        ] + top.top + top.distinct + DnstapMetrics.all
    }

    private static func log(
        _ name: String, _ unit: String, _ attributes: [String], _ meaning: String
    ) -> MetricDefinition {
        MetricDefinition("sonde.dns.log." + name, .counter, unit: unit, attributes: attributes, meaning: meaning)
    }

    private static func counter(
        _ name: String, _ unit: String, _ attributes: [String], _ meaning: String
    ) -> MetricDefinition {
        MetricDefinition("sonde.dns.resolver." + name, .counter, unit: unit, attributes: attributes, meaning: meaning)
    }
}
