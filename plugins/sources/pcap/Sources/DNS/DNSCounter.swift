/// What is counted of DNS per lane.
enum DNSCounter: Int, CaseIterable {
    /// Query messages, repeated ones too.
    case queries
    /// Response messages.
    case responses
    case queryBytes
    case responseBytes
    /// Queries that repeat one of the same transaction.
    case repeatedQueries
    /// Transactions that got an answer in time.
    case answered
    /// Responses to what was answered before.
    case repeatedResponses
    /// First answers to what counts as unanswered already.
    case lateResponses
    /// Responses whose query was not seen.
    case unsolicitedResponses
    /// Queries with RD.
    case recursionDesired
    /// Queries with CD.
    case checkingDisabled
    /// Responses with AA.
    case authoritative
    /// Responses with TC.
    case truncated
    /// Responses with RA.
    case recursionAvailable
    /// Responses with AD.
    case authenticData
    /// Queries with OPT.
    case ednsQueries
    /// Responses with OPT.
    case ednsResponses
    /// Queries with DO.
    case dnssecQueries
    /// Queries with a cookie.
    case cookieQueries
    /// Queries with a client subnet.
    case clientSubnetQueries
    /// Responses with an extended error.
    case extendedErrors
}
