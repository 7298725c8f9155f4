internal import SondeDomain
internal import SondeNetlink

/// Two readings of one device, and what is known of the time between them.
///
/// A decrease is not enough: the number of the device, its carrier, the boot, the width of a counter and what the
/// link can carry decide together.
struct CounterComparison {
    /// What is known beside the counts.
    struct Evidence: Hashable {
        /// Changes of the carrier so far; nil where the kernel does not report them.
        var carrierChanges: UInt32?
        /// Identifies the boot; nil where it cannot be read.
        var boot: String?
        /// The kernel's name of the kind of device.
        var kind: String?
    }

    let old: LinkCounters
    let new: LinkCounters
    let before: Evidence
    let now: Evidence
    let elapsed: Nanoseconds
    /// What the link carries in bytes per second, of a device that a driver serves; nil where it is unknown.
    var speed: UInt64?

    /// The end of a counter in 32 bits.
    static let range: UInt64 = 1 << 32
    /// Drivers round, read late and report their speed roughly.
    private static let tolerance = 2.0
    /// The same for a jump upwards, which is held against a device only when it is beyond any doubt.
    private static let absurdity = 16.0
    /// The shortest frame with what surrounds it on the wire (IEEE 802.3, section 4A.4.2): 64 + 20 bytes.
    private static let shortestFrame = 84.0

    /// What the new reading is.
    var verdict: LinkVerdict {
        if let old = before.boot, let new = now.boot, old != new { return .reset(.boot) }
        if before.kind != now.kind { return .recreated }
        // The count of changes lives as long as the device: it never falls.
        if let old = before.carrierChanges, let new = now.carrierChanges, new < old { return .recreated }
        // A fall of any field is one of the device.
        guard new.hasFallen(since: old) else { return isAbsurd ? .reset(.implausible) : .ok }
        if before.carrierChanges != now.carrierChanges { return .reset(.carrier) }
        let fallen = LinkCounters.Field.allCases.filter { (new[$0] ?? 0) < (old[$0] ?? 0) }
        return fallen.allSatisfy(canHaveWrapped) ? .wrapped : .reset(.driver)
    }

    private func canHaveWrapped(_ field: LinkCounters.Field) -> Bool {
        guard let old = old[field], let new = new[field], old < Self.range, new < old else { return false }
        let step = Self.range &- old &+ new
        guard let most = most(field) else {
            // The speed of the link is unknown: the old value was in the last quarter, the step is a quarter.
            return old >= Self.range / 4 * 3 && step <= Self.range / 4
        }
        // A fast link can count more than 32 bits in an interval: half of them at most are believed.
        return step <= Self.range / 2 && Double(step) <= most * Self.tolerance
    }

    private var isAbsurd: Bool {
        guard speed != nil else { return false }
        return [.receivedBytes, .sentBytes].contains { (field: LinkCounters.Field) in
            guard let old = old[field], let new = new[field], new > old, let most = most(field) else { return false }
            // A reading that comes a moment after the other is no measure: at least a second's worth passes.
            return Double(new &- old) > max(most, Double(speed ?? 0)) * Self.absurdity
        }
    }

    /// The most that the field can have counted.
    private func most(_ field: LinkCounters.Field) -> Double? {
        guard let speed, speed > 0, elapsed > .zero else { return nil }
        let bytes = Double(speed) * elapsed.seconds
        return field == .receivedBytes || field == .sentBytes ? bytes : bytes / Self.shortestFrame
    }
}
