internal import SondeDomain
internal import SondePluginKit

/// How often the counters of interfaces were wrapped, reset, recreated or renamed.
struct CounterEvents {
    private struct Key: Hashable {
        let interface: String
        let verdict: LinkVerdict
    }

    private struct Entry {
        var count: UInt64 = 0
        var handle: SeriesHandle?
    }

    /// Interfaces that are reported one by one are few; more events than this are not distinguished.
    private static let limit = 1_024

    private var entries: [Key: Entry] = [:]

    init() {}

    /// Counts one.
    mutating func add(_ interface: String, _ verdict: LinkVerdict) {
        let key = Key(interface: interface, verdict: verdict)
        guard entries[key] != nil || entries.count < Self.limit else { return }
        entries[key, default: Entry()].count &+= 1
    }

    /// Closes everything.
    mutating func closeAll(_ host: PluginHost) {
        keep([], host)
    }

    /// Forgets those of interfaces that are gone.
    mutating func keep(_ interfaces: Set<String>, _ host: PluginHost) {
        for (key, entry) in entries where !interfaces.contains(key.interface) {
            if let handle = entry.handle { host.closeSeries(handle) }
            entries[key] = nil
        }
    }

    /// Appends every count; they began at `start`.
    mutating func append(start: Timestamp?, to samples: inout SampleBuffer, _ host: PluginHost) {
        for (key, entry) in entries {
            guard let words = key.verdict.words else { continue }
            let handle =
                entry.handle
                ?? host.openSeries(
                    LinkMetrics.verdict,
                    [
                        Attribute("network.interface.name", key.interface),
                        Attribute("sonde.counter.verdict", words.verdict),
                    ] + (words.cause.map { [Attribute("sonde.counter.cause", $0)] } ?? []),
                    start: start,
                    width: .bits64
                )
            if entry.handle == nil { entries[key]?.handle = handle }
            samples.append(handle, entry.count)
        }
    }
}
