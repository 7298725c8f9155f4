/// The log and the stretch of a batch: the same stretch is offered again after a failure, so that a receiver can
/// drop what it has already.
public struct BatchIdentity: Hashable, Sendable {
    /// The agent's UUID, lower case.
    public let agent: String
    /// The log's epoch: sequence numbers are unique within it.
    public let epoch: String
    /// The stretch's first sequence number.
    public let first: UInt64
    /// The stretch's last sequence number, included.
    public let last: UInt64

    /// An identity.
    public init(agent: String, epoch: String, first: UInt64, last: UInt64) {
        self.agent = agent
        self.epoch = epoch
        self.first = first
        self.last = last
    }

    /// `<agent>/<epoch>/<first>-<last>`, the value of the `Sonde-Batch` header.
    public var text: String {
        "\(agent)/\(epoch)/\(first)-\(last)"
    }
}
