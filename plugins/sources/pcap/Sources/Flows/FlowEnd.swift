/// One of the two ends of a flow, in the order of their addresses and ports.
enum FlowEnd: UInt8, Sendable {
    /// The end whose address, or else port, is the lower one.
    case low
    case high

    /// The other end.
    var other: FlowEnd { self == .low ? .high : .low }
}
