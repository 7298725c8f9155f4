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
    /// Whether there was a reading since the last collection.
    private var hasTicked = false

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
        hasTicked = true
        var sum = Self.nothing
        for position in entries.indices {
            let bytes = try read(&entries[position].request, reader)
            observe(bytes, at: now(), position, &sum)
        }
        add(sum)
    }

    /// Takes what a collection has read as one more reading, where there were others before it; `bytes` returns what an
    /// uplink has counted.
    func take(at now: MonotonicInstant, _ bytes: (Int32) -> RateMeter.Pair<UInt64>?) {
        // Over a whole interval it would be the average.
        guard hasTicked else { return }
        hasTicked = false
        var sum = Self.nothing
        for position in entries.indices { observe(bytes(entries[position].index), at: now, position, &sum) }
        add(sum)
    }

    /// What was measured of an uplink; nil when it is not an uplink.
    func meter(of index: Int32) -> RateMeter? { entries.first { $0.index == index }?.meter }

    /// The widest step that is known of an uplink; one that rests has none, and adds nothing to a sum.
    var step: Nanoseconds? { entries.compactMap(\.meter.step).max() }

    /// Forgets what was measured since the last collection.
    func beginInterval() {
        for position in entries.indices { entries[position].meter.beginInterval() }
        receive.removeAll()
        transmit.removeAll()
    }

    private static let nothing: RateMeter.Pair<Double>? = RateMeter.Pair(receive: 0, transmit: 0)

    /// An uplink whose rate is not known makes the sum unknown, not smaller.
    private func observe(
        _ bytes: RateMeter.Pair<UInt64>?,
        at now: MonotonicInstant,
        _ position: Int,
        _ sum: inout RateMeter.Pair<Double>?
    ) {
        guard let bytes else {
            sum = nil
            return
        }
        entries[position].meter.observe(bytes, at: now)
        guard let known = sum, let current = entries[position].meter.current else {
            sum = nil
            return
        }
        sum = known.adding(current)
    }

    private func add(_ sum: RateMeter.Pair<Double>?) {
        guard let sum else { return }
        receive.add(sum.receive)
        transmit.add(sum.transmit)
    }

    private func read(
        _ request: inout NetlinkRequest,
        _ reader: LinkReader
    ) throws(NetlinkError) -> RateMeter.Pair<UInt64>? {
        do throws(NetlinkError) {
            guard let bytes = try reader.bytes(&request) else { return nil }
            return RateMeter.Pair(receive: bytes.received, transmit: bytes.sent)
        } catch {
            guard error.isAbsence else { throw error }
            return nil
        }
    }
}
