internal import SondeDomain
internal import SondePluginKit

/// The open series of one thing, an interface for instance, each in its own slot.
struct SeriesSlots {
    private var handles: [SeriesHandle?]

    /// Slots for so many series, none open.
    init(_ count: Int) {
        handles = [SeriesHandle?](repeating: nil, count: count)
    }

    /// Series that the host refused, because its bound was reached.
    private(set) var refused = 0

    /// The handle in a slot, which `open` gives at the first time; nil for one that was refused.
    mutating func handle(_ slot: Int, _ open: () -> SeriesHandle) -> SeriesHandle? {
        guard handles.indices.contains(slot) else { return nil }
        if let handle = handles[slot] { return handle.isRefused ? nil : handle }
        let handle = open()
        handles[slot] = handle
        guard handle.isRefused else { return handle }
        refused += 1
        return nil
    }

    /// Whether a slot has a series.
    func isOpen(_ slot: Int) -> Bool { handles.indices.contains(slot) && handles[slot]?.isRefused == false }

    /// Asks again for what was refused.
    mutating func retryRefused() {
        guard refused > 0 else { return }
        for slot in handles.indices where handles[slot]?.isRefused == true { handles[slot] = nil }
        refused = 0
    }

    /// Closes the series of one slot.
    mutating func close(_ slot: Int, _ host: PluginHost) {
        guard handles.indices.contains(slot), let handle = handles[slot] else { return }
        if !handle.isRefused { host.closeSeries(handle) }
        handles[slot] = nil
    }

    /// Closes all of them.
    mutating func closeAll(_ host: PluginHost) {
        for slot in handles.indices { close(slot, host) }
        refused = 0
    }
}
