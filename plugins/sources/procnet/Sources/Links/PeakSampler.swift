internal import SondeDomain
internal import SondeNetlink

/// Reads the uplinks between collections, and keeps what the peak needs.
final class PeakSampler {
    /// More uplinks than this are not read between collections.
    static let limit = 64

    private struct Entry {
        let index: Int32
        var request: NetlinkRequest
        var meter: RateMeter
    }

    private var entries: [Entry] = []

    /// Whether nothing is read.
    var isEmpty: Bool { entries.isEmpty }

    /// The sums over all uplinks, tick by tick.
    private(set) var receive = RateSamples()
    private(set) var transmit = RateSamples()
    private let period: Nanoseconds

    init(period: Nanoseconds) {
        self.period = period
    }

    /// Reads these from now on; what was learned of those that stay is kept.
    func follow(_ uplinks: [NetworkLink]) {
        entries = uplinks.prefix(Self.limit).map { link in
            entries.first { $0.index == link.index }
                ?? Entry(
                    index: link.index,
                    request: LinkReader.counterRequest(of: link.index),
                    meter: RateMeter(period: period, isImmediate: !link.isPhysical)
                )
        }
    }

    /// Takes one reading of every uplink.
    ///
    /// One that is gone is left out until the next list of links. Throws ``NetlinkError`` for anything else.
    func tick(_ reader: LinkReader, now: () -> MonotonicInstant) throws(NetlinkError) {
        guard !entries.isEmpty else { return }
        var sum: RateMeter.Pair<Double>? = RateMeter.Pair(receive: 0.0, transmit: 0.0)
        for position in entries.indices {
            guard let bytes = try read(&entries[position].request, reader) else {
                sum = nil
                continue
            }
            entries[position].meter.observe(bytes, at: now())
            // An uplink whose rate is not known makes the sum unknown, not smaller.
            sum = entries[position].meter.current.flatMap { sum?.adding($0) }
        }
        guard let sum else { return }
        receive.add(sum.receive)
        transmit.add(sum.transmit)
    }

    /// What was measured of an uplink; nil when it is none.
    func meter(of index: Int32) -> RateMeter? { entries.first { $0.index == index }?.meter }

    /// The widest step that is known of an uplink; one that rests has none, and adds nothing to a sum.
    var step: Nanoseconds? { entries.compactMap(\.meter.step).max() }

    /// Forgets what was measured since the last collection.
    func beginInterval() {
        for position in entries.indices { entries[position].meter.beginInterval() }
        receive.removeAll()
        transmit.removeAll()
    }

    private func read(
        _ request: inout NetlinkRequest,
        _ reader: LinkReader
    ) throws(NetlinkError) -> RateMeter.Pair<UInt64>? {
        do throws(NetlinkError) {
            guard
                let counters = try reader.counters(&request),
                let received = counters[.receivedBytes],
                let sent = counters[.sentBytes]
            else { return nil }
            return RateMeter.Pair(receive: received, transmit: sent)
        } catch {
            guard error.isAbsence else { throw error }
            return nil
        }
    }
}
