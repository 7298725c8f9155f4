internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// The sums over several devices: the host's over the uplinks, and that of the virtual devices that are too many.
struct LinkTotals {
    /// The name of the sum of virtual devices; a slash cannot be in a device's name (`dev_valid_name`, net/core/dev.c).
    static let other = "virtual/other"

    /// Bytes, and the time in which they were counted.
    typealias Step = (bytes: RateMeter.Pair<UInt64>, elapsed: Nanoseconds)

    private(set) var host = LinkCounters()
    private(set) var others = LinkCounters()
    /// What the uplinks counted since the reading before, and how long that took; nil when it is not known of one.
    private(set) var hostStep: Step?
    private(set) var summedUp = 0
    /// Whether devices were ever summed up: the sum stays, so that it does not begin again all the time.
    private(set) var hasOthers = false
    private var hasBegun = false

    init() {}

    /// Adds one reading of all devices.
    ///
    /// At the first one everything that they have counted, from then on what they counted since the one before. What a
    /// new device counted before its first reading is left out: it may have come from another namespace, with counts of
    /// years.
    mutating func add(_ devices: some Sequence<LinkDevice>) {
        defer { hasBegun = true }
        var step: Step? = (RateMeter.Pair(receive: 0, transmit: 0), .zero)
        summedUp = 0
        for device in devices {
            if device.role == .summed { summedUp &+= 1 }
            guard device.isFresh, device.isUplink || device.role == .summed else { continue }
            if let counted = device.step ?? (hasBegun ? nil : device.counted) {
                if device.isUplink { host.add(counted) }
                if device.role == .summed { others.add(counted) }
            }
            if device.isUplink { step = step.flatMap { Self.adding(device, to: $0) } }
        }
        hostStep = step
        if summedUp > 0 { hasOthers = true }
    }

    private static func adding(
        _ device: LinkDevice,
        to step: Step
    ) -> Step? {
        guard let news = device.step, let received = news[.receivedBytes], let sent = news[.sentBytes] else {
            return nil
        }
        let bytes = RateMeter.Pair(
            receive: step.bytes.receive &+ received,
            transmit: step.bytes.transmit &+ sent
        )
        return (bytes, max(step.elapsed, device.elapsed))
    }
}
