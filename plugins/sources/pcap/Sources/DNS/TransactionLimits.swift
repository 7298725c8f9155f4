/// What bounds a ``TransactionTable``.
struct TransactionLimits {
    /// How long a query waits for its answer, in nanoseconds; a repeated query within it is the same transaction.
    var timeout: Int64 = 5_000_000_000
    /// How long after its query an answer is still known as late, in nanoseconds.
    var lateness: Int64 = 60_000_000_000
    /// How many transactions are remembered, at least one.
    var transactions = 65_536 {
        didSet { transactions = min(max(1, transactions), 1 << 24) }
    }
}
