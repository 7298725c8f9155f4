internal import SondeDomain
internal import SondePluginKit

/// The open series of one table, in the order of its numbers.
struct SeriesBook {
    /// Where a number goes.
    struct Slot {
        /// Nil when the number is not reported.
        let handle: SeriesHandle?
        /// Whether the kernel may go below zero.
        let isSigned: Bool
        /// How the kernel's number becomes one of the metric's unit; nil: it is one.
        var scale: KernelScale?
    }

    /// The result of an update.
    struct Changes {
        /// Columns that no series was opened for, because the host's bound is reached.
        var refused: UInt64 = 0
        /// Columns unknown to this version.
        var unknown: [String] = []
    }

    /// On 64-bit kernels all these counters are `unsigned long` or `u64` (SNMP MIBs: `DEFINE_SNMP_STAT`,
    /// include/net/snmp.h; interfaces: `struct rtnl_link_stats64`). A process with 64-bit integers runs on no other
    /// kernel.
    #if _pointerBitWidth(_64)
        private static let width = CounterWidth.bits64
    #else
        private static let width = CounterWidth.unknown
    #endif

    private struct Entry {
        var slots: [Slot]
        /// Whether the host's bound kept series from being opened: they are asked for again at the next update.
        var isComplete: Bool
    }

    private(set) var slots: [Slot] = []
    private var entries: [String: Entry] = [:]

    init() {}

    /// Opens what is new, closes what is gone, and lines the slots up with the sections.
    ///
    /// `start` is when the counts of a section that was not there before were zero.
    mutating func update(_ sections: [TableSection], start: Timestamp?, host: PluginHost) -> Changes {
        var changes = Changes()
        var current: [String: Entry] = [:]
        var taken: Set<SeriesHandle> = []
        for section in sections {
            guard let entry = entries[section.key], entry.isComplete else { continue }
            taken.formUnion(entry.slots.lazy.compactMap(\.handle))
            current[section.key] = entry
        }
        slots.removeAll(keepingCapacity: true)
        for section in sections {
            let entry =
                current[section.key] ?? open(section, start: start, host: host, taken: &taken, &changes)
            current[section.key] = entry
            slots.append(contentsOf: entry.slots)
        }
        for (key, entry) in entries where current[key] == nil {
            for handle in entry.slots.lazy.compactMap(\.handle) where !taken.contains(handle) {
                host.closeSeries(handle)
            }
        }
        entries = current
        return changes
    }

    private func open(
        _ section: TableSection,
        start: Timestamp?,
        host: PluginHost,
        taken: inout Set<SeriesHandle>,
        _ changes: inout Changes
    ) -> Entry {
        let refusedBefore = changes.refused
        var slots = section.columns().map { column -> Slot in
            guard let column, column.isWanted else { return Slot(handle: nil, isSigned: false) }
            if !column.isKnown { changes.unknown.append(column.metric.name) }
            let isSigned = column.metric.kind != .counter
            let handle = host.openSeries(
                column.metric,
                column.attributes,
                start: isSigned ? nil : start,
                width: isSigned ? .unknown : Self.width
            )
            guard !handle.isRefused else {
                changes.refused += 1
                return Slot(handle: nil, isSigned: isSigned)
            }
            // The kernel prints some counts twice: "InDestUnreachs" and "InType3" are the same series.
            return Slot(
                handle: taken.insert(handle).inserted ? handle : nil, isSigned: isSigned, scale: column.scale)
        }
        // Numbers and slots are paired by position.
        while slots.count < section.count { slots.append(Slot(handle: nil, isSigned: false)) }
        return Entry(slots: slots, isComplete: changes.refused == refusedBefore)
    }
}
