internal import SondeDomain

/// Metrics of DNS on the wire.
enum DNSMetrics {
    /// The attributes that distinguish a lane.
    static let lane = ["sonde.dns.role", "network.transport", "network.type"]

    static let queries = counter("query.count", "{query}", lane + ["sonde.dns.opcode"], "Queries, repeated ones too.")
    static let queryBytes = counter("query.io", "By", lane, "Bytes of the query messages.")
    static let questions = counter(
        "question.count", "{question}", lane + ["sonde.dns.qtype"], "Questions of queries by type.")
    static let queryMarks = counter(
        "query.flag.count", "{query}", lane + ["sonde.dns.flag"],
        "Queries with rd, cd, edns, do, cookie or ecs (client subnet).")
    static let repeated = counter(
        "query.repeated", "{query}", lane, "Queries that repeat one of the same transaction.")
    static let unanswered = counter(
        "query.unanswered", "{transaction}", lane, "Transactions without an answer within dns_timeout.")
    static let evicted = counter(
        "query.evicted", "{transaction}", lane,
        "Transactions that were evicted from the full table while they waited: their outcome is unknown.")
    static let responses = counter(
        "response.count", "{response}", lane + ["sonde.dns.rcode"], "Responses by code, the extended one.")
    static let responseBytes = counter("response.io", "By", lane, "Bytes of the response messages.")
    static let responseMarks = counter(
        "response.flag.count", "{response}", lane + ["sonde.dns.flag"],
        "Responses with aa, tc, ra, ad, edns or ede (extended error).")
    static let answered = counter(
        "query.answered", "{transaction}", lane, "Transactions that got an answer in time.")
    static let duplicates = counter(
        "response.repeated", "{response}", lane, "Responses to what was answered before.")
    static let late = counter(
        "response.late", "{response}", lane, "First answers to what counts as unanswered already.")
    static let unsolicited = counter(
        "response.unsolicited", "{response}", lane, "Responses to nothing that was seen asked.")
    static let duration = MetricDefinition(
        "sonde.dns.wire.response.duration",
        .histogram,
        unit: "s",
        attributes: lane,
        meaning: "From the first query of a transaction to its answer."
    )

    static var lanes: [MetricDefinition] {
        [
            queries, queryBytes, questions, queryMarks, repeated, answered, unanswered, evicted,
            responses, responseBytes, responseMarks, duplicates, late, unsolicited, duration,
        ]
    }

    static func counter(
        _ name: String, _ unit: String, _ attributes: [String], _ meaning: String
    ) -> MetricDefinition {
        MetricDefinition("sonde.dns.wire." + name, .counter, unit: unit, attributes: attributes, meaning: meaning)
    }
}
