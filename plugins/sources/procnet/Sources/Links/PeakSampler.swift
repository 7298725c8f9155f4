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
        /// What it had counted when the pace was decided last.
        var decided: RateMeter.Pair<UInt64>?
        var newest: RateMeter.Pair<UInt64>?
    }

    /// The time between readings while no uplink carries much, unless the option asks for fewer.
    static let restingPeriod = Nanoseconds.seconds(1)

    private var entries: [Entry] = []
    /// Whether there was a reading since the last collection.
    private var hasTicked = false

    /// Whether nothing is read.
    var isEmpty: Bool { entries.isEmpty }

    /// The sums over all uplinks, tick by tick.
    private(set) var receive = RateSamples()
    private(set) var transmit = RateSamples()
    /// The time until the next reading should be taken.
    private(set) var pace: Nanoseconds
    private let period: Nanoseconds
    private var decidedAt: MonotonicInstant?
    private var lastSum: MonotonicInstant?

    /// Reads every `period` while an uplink carries much, and once a second while none does; zero: never.
    init(period: Nanoseconds) {
        self.period = period
        pace = period > .zero ? max(period, Self.restingPeriod) : .zero
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

    /// Takes one reading of every uplink; `busy` returns the bytes per second from which on one is read at the full rate.
    ///
    /// One that is gone is left out until the next list of links. Throws ``NetlinkError`` for anything else.
    func tick(
        _ reader: LinkReader, busy: (Int32) -> Double, now: () -> MonotonicInstant
    ) throws(NetlinkError) {
        guard !entries.isEmpty else { return }
        hasTicked = true
        var sum = Self.nothing
        for position in entries.indices {
            let bytes = try read(&entries[position].request, reader)
            observe(bytes, at: now(), position, &sum)
        }
        let now = now()
        add(sum, at: now)
        decide(at: now, busy)
    }

    /// The full rate from here on if the last second was busy for any of the uplinks.
    private func decide(at now: MonotonicInstant, _ busy: (Int32) -> Double) {
        let elapsed = decidedAt.map { now.since($0) }
        // Ticks come a little early and a little late.
        if let elapsed, elapsed.value + period.value / 2 < Self.restingPeriod.value { return }
        decidedAt = now
        var isBusy = false
        for position in entries.indices {
            let (newest, before) = (entries[position].newest, entries[position].decided)
            entries[position].decided = newest
            guard let elapsed, let newest, let decided = before else { continue }
            // Counts that began again are no traffic.
            let most = max(
                newest.receive > decided.receive ? newest.receive - decided.receive : 0,
                newest.transmit > decided.transmit ? newest.transmit - decided.transmit : 0)
            if Double(most) > busy(entries[position].index) * elapsed.seconds { isBusy = true }
        }
        pace = isBusy ? period : max(period, Self.restingPeriod)
    }

    /// Takes what a collection has read as one more reading; `bytes` returns what an uplink has counted.
    ///
    /// Over an interval of several seconds without one in between it would be the average, and not a peak.
    func take(at now: MonotonicInstant, busy: (Int32) -> Double, _ bytes: (Int32) -> RateMeter.Pair<UInt64>?) {
        guard period > .zero, !entries.isEmpty else { return }
        let isOneStep = lastSum.map { now.since($0).value <= Self.restingPeriod.value / 2 * 3 } ?? true
        guard hasTicked || isOneStep else {
            lastSum = now
            for position in entries.indices { entries[position].meter.begin(bytes(entries[position].index), at: now) }
            return
        }
        hasTicked = false
        var sum = Self.nothing
        for position in entries.indices { observe(bytes(entries[position].index), at: now, position, &sum) }
        add(sum, at: now)
        decide(at: now, busy)
    }

    /// What was measured of an uplink; nil when it is not an uplink.
    func meter(of index: Int32) -> RateMeter? { entries.first { $0.index == index }?.meter }

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
        entries[position].newest = bytes
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

    private func add(_ sum: RateMeter.Pair<Double>?, at now: MonotonicInstant) {
        let elapsed = lastSum.map { now.since($0).value } ?? 0
        lastSum = now
        guard let sum else { return }
        // The sum holds for as long as the slowest of its parts was measured over.
        var window = entries.isEmpty ? period : Nanoseconds.zero
        for position in entries.indices { window = max(window, entries[position].meter.window) }
        let ticks = max(1, Int(clamping: (elapsed + period.value / 2) / max(period.value, 1)))
        receive.add(sum.receive, over: window, ticks: ticks)
        transmit.add(sum.transmit, over: window, ticks: ticks)
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
