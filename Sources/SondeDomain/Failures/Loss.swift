/// Something that was lost, for the loss ledger.
public struct Loss: Hashable, Sendable {
    /// A ``LossReason``, or short and stable words of a plugin's own: `kernel_drop`.
    public var reason: String
    /// The `id` of the source or sink concerned.
    public var component: String
    /// When the loss began, if known.
    public var from: Timestamp?
    /// When it ended, if known.
    public var to: Timestamp?
    /// Units lost; nil when not known.
    public var count: UInt64?

    /// A loss of the agent's.
    public init(
        _ reason: LossReason,
        component: String,
        from: Timestamp? = nil,
        to: Timestamp? = nil,
        count: UInt64? = nil
    ) {
        self.init(reason: reason.rawValue, component: component, from: from, to: to, count: count)
    }

    /// A loss that a plugin reports.
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
