/// Something that was lost, for the loss ledger.
public struct Loss: Hashable, Sendable {
    /// Short and stable: `kernel_drop`, `spool_overflow`.
    public var reason: String
    /// The `id` of the source or sink concerned.
    public var component: String
    /// When the loss began, if known.
    public var from: Timestamp?
    /// When it ended, if known.
    public var to: Timestamp?
    /// Units lost; nil when not known.
    public var count: UInt64?

    /// A loss.
    public init(
        reason: String,
        component: String,
        from: Timestamp? = nil,
        to: Timestamp? = nil,
        count: UInt64? = nil
    ) {
        self.reason = reason
        self.component = component
        self.from = from
        self.to = to
        self.count = count
    }
}
