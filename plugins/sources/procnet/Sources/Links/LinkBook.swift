internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// The devices that are followed, by the kernel's number.
struct LinkBook {
    /// One device, and what happened to it.
    typealias Event = (index: Int32, verdict: LinkVerdict)

    private(set) var devices: [Int32: LinkDevice] = [:]
    /// The devices in the order of their numbers.
    private(set) var all: [LinkDevice] = []

    init() {}

    subscript(index: Int32) -> LinkDevice? { devices[index] }

    /// Takes a list of all links: opens what is new, closes what is gone, and returns what was made again or renamed.
    ///
    /// A list that is not whole takes nothing away. `start` is when the counts of a device that was not there were zero.
    mutating func update(
        _ links: [LinkDescription],
        isWhole: Bool,
        start: Timestamp?,
        host: PluginHost
    ) -> [Event] {
        let present = Set(links.map(\.link.index))
        var events: [Event] = []
        var gone: Set<String> = []
        if isWhole {
            for (index, device) in devices where !present.contains(index) {
                gone.insert(device.name)
                device.series.closeAll(host)
                devices[index] = nil
            }
        }
        for link in links {
            guard let device = devices[link.link.index] else {
                devices[link.link.index] = LinkDevice(link, start: start)
                if gone.contains(link.link.name) { events.append((link.link.index, .recreated)) }
                continue
            }
            if follow(device, link, host) { events.append((link.link.index, .renamed)) }
        }
        all = devices.values.sorted { $0.link.index < $1.link.index }
        return events
    }

    /// True when the device has another name now: its series begin again under that one.
    private func follow(_ device: LinkDevice, _ new: LinkDescription, _ host: PluginHost) -> Bool {
        let old = device.name
        _ = device.describe(new)
        device.series.retryRefused()
        guard old != device.name else { return false }
        device.series.closeAll(host)
        return true
    }
}
