internal import SondeDomain

/// Both clocks at one moment: waits go by the monotonic one, losses are stamped by the wall clock.
struct TailInstant: Sendable {
    var monotonic: MonotonicInstant
    var wall: Timestamp
}
