/// Queries that BIND refused, which two categories log: query-errors and security.
///
/// They may be in two files, one of which is read far behind the other, or one may be missing. Every line of the one
/// has its counterpart in the other, so that the larger number is the number of queries.
struct RefusedQueries {
    private var errors: UInt64 = 0
    private var denials: UInt64 = 0

    /// Takes a line of query-errors (a response) or of security (a refusal); false when its counterpart was counted.
    mutating func add(_ kind: LogEvent.Kind) -> Bool {
        let known = max(errors, denials)
        if kind == .refusal { denials &+= 1 } else { errors &+= 1 }
        return max(errors, denials) > known
    }
}
