internal import SondePluginKit

/// The open series of things that come and go, each closed at the first reading that has none of it.
struct KeyedSeries<Key: Hashable> {
    private struct Entry {
        let handle: SeriesHandle
        var round: UInt64
    }

    private var entries: [Key: Entry] = [:]
    private var round: UInt64 = 0
    /// Series that the host refused, because its bound was reached; they are asked for again at every reading.
    private(set) var refused: UInt64 = 0

    init() {}

    /// Begins a reading.
    mutating func begin() {
        round &+= 1
    }

    /// The handle of a series, which `open` gives at the first time; nil when the host refuses it.
    mutating func handle(_ key: Key, _ open: () -> SeriesHandle) -> SeriesHandle? {
        // One look-up, not two: a thing is reported at every reading.
        if let index = entries.index(forKey: key) {
            entries.values[index].round = round
            return entries.values[index].handle
        }
        let handle = open()
        guard !handle.isRefused else {
            refused &+= 1
            return nil
        }
        entries[key] = Entry(handle: handle, round: round)
        return handle
    }

    /// Closes everything.
    mutating func closeAll(_ host: PluginHost) {
        begin()
        end(host)
    }

    /// Keeps a series open that is not in the reading, so that its count continues later.
    mutating func keep(_ key: Key) {
        entries[key]?.round = round
    }

    /// Closes the series that are not in the reading.
    mutating func end(_ host: PluginHost) {
        for (key, entry) in entries where entry.round != round {
            host.closeSeries(entry.handle)
            entries[key] = nil
        }
    }
}

/// Reports things that come and go, each under its own key.
protocol KeyedSeriesOwner {
    associatedtype Key: Hashable

    var series: KeyedSeries<Key> { get set }
}

extension KeyedSeriesOwner {
    /// Series that the host refused.
    var refused: UInt64 { series.refused }

    /// Closes everything.
    mutating func closeAll(_ host: PluginHost) {
        series.closeAll(host)
    }
}
