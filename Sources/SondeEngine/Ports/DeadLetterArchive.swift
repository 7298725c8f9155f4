public import SondeDomain

/// Dead letters that can be offered again, and removed.
///
/// One archive per sink. All but reading is called only from that sink's thread, so that changes never overlap.
public protocol DeadLetterArchive: DeadLetterStore {
    /// The names of what is kept, the oldest first.
    var names: [String] { get }
    /// The heading of a dead letter; nil: there is none of that name, or it cannot be read.
    func heading(of name: String) -> DeadLetterHeading?
    /// The batch as it was refused.
    ///
    /// Throws ``SondeDomain/ErrorCode/deadLetterMissing`` and ``SondeDomain/ErrorCode/deadLetterUnreadable``.
    func load(_ name: String) throws(SondeError) -> Batch
    /// Notes that a dead letter was offered again and refused again; it stays.
    func noteRefusal(_ name: String, because error: SondeError, at time: Timestamp)
    /// Removes a dead letter; false: it was not there, or it could not be removed.
    func remove(_ name: String) -> Bool
}

/// What is known about a dead letter without its points.
public struct DeadLetterHeading: Hashable, Sendable {
    /// The `id` of the sink whose receiver refused it.
    public var sink: String
    /// The batch's identity, `<agent>/<epoch>/<first>-<last>`.
    public var batch: String
    /// When it was last refused.
    public var time: Timestamp?
    /// The code of the refusal.
    public var code: String
    /// The class of the refusal.
    public var failureClass: String
    /// The refusal in a sentence.
    public var message: String
    /// How many points it holds; nil: an older agent did not store it.
    public var points: UInt64?
    /// How many documents it holds.
    public var documents: UInt64?
    /// The time of the oldest point or document.
    public var from: Timestamp?
    /// The time of the newest.
    public var to: Timestamp?

    /// A heading.
    public init(
        sink: String,
        batch: String,
        time: Timestamp?,
        code: String,
        failureClass: String,
        message: String,
        points: UInt64?,
        documents: UInt64?,
        from: Timestamp?,
        to: Timestamp?
    ) {
        self.sink = sink
        self.batch = batch
        self.time = time
        self.code = code
        self.failureClass = failureClass
        self.message = message
        self.points = points
        self.documents = documents
        self.from = from
        self.to = to
    }

    /// How many points and documents it holds, if that is known.
    public var count: UInt64? {
        guard let points, let documents else { return nil }
        let (sum, overflow) = points.addingReportingOverflow(documents)
        return overflow ? nil : sum
    }

    /// The loss when it is removed before it was delivered.
    public func loss(_ reason: LossReason) -> Loss {
        Loss(reason, component: sink, from: from, to: to, count: count)
    }
}
