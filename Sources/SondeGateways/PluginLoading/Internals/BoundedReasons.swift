/// The reasons that one instance has given for losses: too many different ones would fill the ledger for everyone.
struct BoundedReasons {
    /// How many an instance may have; further ones count as `other`.
    static let bound = 64

    private var known: Set<String> = []

    /// The reason, or `other` when there are too many already.
    mutating func bounded(_ reason: String) -> String {
        guard !known.contains(reason) else { return reason }
        guard known.count < Self.bound else { return "other" }
        known.insert(reason)
        return reason
    }
}
