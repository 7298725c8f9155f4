public import SondeDomain
internal import Synchronization

/// Every loss, counted by component and reason.
///
/// May be called from any thread.
public final class LossLedger: Sendable {
    /// What was lost for one reason.
    public struct Entry: Hashable, Sendable {
        /// The `id` of the source or sink.
        public var component: String
        /// Short and stable.
        public var reason: String
        /// Units lost; nil when no report had a number.
        public var count: UInt64?
        /// How many reports there were.
        public var reports: UInt64
        /// When it began, if known.
        public var from: Timestamp?
        /// When it last happened, if known.
        public var to: Timestamp?
    }

    private struct Key: Hashable {
        let component: String
        let reason: String
    }

    private static let bound = 1_024
    private let entries = Mutex<[Key: Entry]>([:])
    private let changed = Mutex<Set<Key>>([])
    private let log: any EventLog

    /// An empty ledger that announces each new reason in `log`.
    public init(log: any EventLog) {
        self.log = log
    }

    /// Records a loss.
    public func record(_ loss: Loss) {
        var key = Key(component: loss.component, reason: loss.reason)
        let isNew = entries.withLock { entries in
            // Reasons come from plugins: beyond the bound they are counted together, so that every loss is counted.
            if entries[key] == nil, entries.count >= Self.bound { key = Key(component: "", reason: "other") }
            let known = entries[key]
            var entry = known ?? Entry(component: key.component, reason: key.reason, reports: 0, from: loss.from)
            if let count = loss.count {
                let (sum, overflow) = (entry.count ?? 0).addingReportingOverflow(count)
                entry.count = overflow ? .max : sum
            }
            entry.reports &+= 1
            entry.to = loss.to ?? entry.to
            entries[key] = entry
            return known == nil
        }
        changed.withLock { _ = $0.insert(key) }
        guard isNew else { return }
        let amount = loss.count.map { "\($0)" } ?? "an unknown number"
        log.log(
            .warning, "lost \(amount) (\(loss.reason)); further losses for this reason are counted",
            component: loss.component)
    }

    /// All entries, by component and reason.
    public var all: [Entry] {
        entries.withLock { Array($0.values) }
            .sorted { ($0.component, $0.reason) < ($1.component, $1.reason) }
    }

    /// How much was lost in total, as far as it was counted.
    var total: UInt64 { entries.withLock { $0.values.reduce(0) { $0 &+ ($1.count ?? 0) } } }

    /// The entries that have changed since the last call, to be shipped as data.
    func takeChanged() -> [Entry] {
        let keys = changed.withLock { changed in
            defer { changed = [] }
            return changed
        }
        guard !keys.isEmpty else { return [] }
        return entries.withLock { entries in keys.compactMap { entries[$0] } }
            .sorted { ($0.component, $0.reason) < ($1.component, $1.reason) }
    }

    /// Takes back entries that could not be shipped: they are returned again.
    func putBack(_ unshipped: [Entry]) {
        changed.withLock { changed in
            for entry in unshipped { changed.insert(Key(component: entry.component, reason: entry.reason)) }
        }
    }

    /// How much was lost by a component for a reason, as far as it was counted.
    public func count(component: String, reason: String) -> UInt64 {
        entries.withLock { $0[Key(component: component, reason: reason)]?.count ?? 0 }
    }
}
