internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// Reads the kernel's counts of the interfaces that are captured on, and compares.
final class ReceivedBook {
    /// An interface that is captured on, since it was opened the last time.
    struct Capture: Hashable {
        var slot: UInt16
        var index: Int32
        /// Another number after each opening.
        var opening: UInt64
    }

    private struct Entry {
        var comparison: ReceivedComparison
        var request: NetlinkRequest
    }

    /// What was compared so far, by slot.
    private(set) var totals: [UInt16: ReceivedComparison.Totals] = [:]
    private var entries: [Capture: Entry] = [:]
    private let links: HostLinks

    init(_ links: HostLinks) {
        self.links = links
    }

    /// Compares on these interfaces from now on, and on no other.
    func follow(_ captures: [Capture]) {
        let wanted = Set(captures)
        entries = entries.filter { wanted.contains($0.key) }
        for capture in captures where entries[capture] == nil {
            entries[capture] = Entry(
                comparison: ReceivedComparison(capture.index),
                request: LinkReader.counterRequest(of: capture.index))
        }
    }

    /// Takes the counts of this moment.
    func compare(_ pipeline: PacketPipeline, _ host: PluginHost) {
        for capture in entries.keys {
            guard var entry = entries[capture] else { continue }
            let now = ReceivedComparison.Moment(wall: host.wallTime, monotonic: host.monotonicTime)
            let kernel = counts(&entry.request)
            var sums = totals[capture.slot] ?? ReceivedComparison.Totals()
            pipeline.withReceived(capture.slot) { marked in
                entry.comparison.take(kernel, at: now, &marked, into: &sums)
            }
            if sums != ReceivedComparison.Totals() { totals[capture.slot] = sums }
            entries[capture] = entry
        }
    }

    /// What the kernel has counted; nil: the interface is gone, or the kernel does not report it.
    private func counts(_ request: inout NetlinkRequest) -> ReceivedCounts? {
        guard let found = links.counters(&request), let packets = found[.receivedPackets],
            let bytes = found[.receivedBytes]
        else { return nil }
        return ReceivedCounts(packets: packets, bytes: bytes)
    }
}
