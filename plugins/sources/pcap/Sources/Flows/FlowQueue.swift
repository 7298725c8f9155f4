/// The two ends of a list of flows, in the order in which they were last seen.
struct FlowQueue: Sendable {
    /// No flow.
    static let none = UInt32.max

    /// Flows wait in the queue of their time-out.
    enum Name: UInt8, Sendable {
        /// TCP that is neither finished nor reset.
        case stream
        /// Everything else.
        case datagram
        /// TCP that was finished or reset.
        case closing
        /// No flow at all.
        case free
    }

    /// The flow that was seen last.
    var newest = FlowQueue.none
    /// The flow that has not been seen for the longest time.
    var oldest = FlowQueue.none
}
