/// A receiver's answer to a batch that it took.
public struct Delivery: Hashable, Sendable {
    /// Points that the receiver took out of the batch; counted, not sent again.
    public var rejectedPoints: UInt64
    /// Why; cut at 255 bytes.
    public var message: String

    /// The receiver took `batch - rejectedPoints`.
    public init(rejectedPoints: UInt64 = 0, message: String = "") {
        self.rejectedPoints = rejectedPoints
        self.message = message
    }

    /// The receiver took everything.
    public static let complete = Delivery()
}
