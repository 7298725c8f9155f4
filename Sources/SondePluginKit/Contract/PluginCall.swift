public import CSondePlugin
public import SondeDomain

/// The conditions of one call into a plugin.
///
/// Valid for that call only.
public struct PluginCall: Sendable {
    /// Becomes readable when the call should end soon.
    ///
    /// Poll it; never read or close it.
    public let cancelDescriptor: Int32
    /// When the call should have returned.
    public let deadline: MonotonicInstant
    /// The wall time of the tick.
    public let time: Timestamp
    /// Sources: the configured interval.
    public let interval: Nanoseconds
    /// Whether this is the last `collect` or `deliver` before the stop.
    public let isFinal: Bool

    /// The conditions as the contract carries them.
    public init(_ call: sonde_call) {
        cancelDescriptor = call.cancel_fd
        deadline = MonotonicInstant(nanoseconds: call.deadline_ns)
        time = Timestamp(nanoseconds: call.time_ns)
        interval = Nanoseconds(call.interval_ns)
        isFinal = call.flags & UInt32(SONDE_CALL_FINAL) != 0
    }
}
