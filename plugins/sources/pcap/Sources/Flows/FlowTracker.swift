internal import SondeDomain
internal import SondeWire

/// Follows flows from packet to packet.
///
/// Bounded in memory and in what one packet costs. Keep it behind a pointer, so that no exclusive access is checked for a
/// packet; use it from one thread.
struct FlowTracker: ~Copyable {
    /// How many expired flows are looked for at once.
    private static let sweepLimit = 64
    /// How often expired flows are looked for, in nanoseconds.
    private static let sweepInterval: UInt64 = 50_000_000

    /// The totals of all flows.
    var totals = FlowTotals()
    /// Peers, services and conversations by bytes.
    private(set) var ranking: FlowRanking?
    /// The host's own addresses, for flows that begin from now on.
    var host = HostAddresses()
    /// The flows.
    var table: FlowTable

    let settings: FlowSettings
    let services = FlowServices()
    let activeLimit: UInt32
    /// The time of the packet before, for packets without one.
    private var lastTime: Int64 = 0
    private var lastSweep: Int64 = 0

    /// A tracker without flows; `hash` is the table's.
    init(_ settings: FlowSettings, hash: FlowHash = .secret) {
        self.settings = settings
        let limit = settings.expiry == .never ? FlowSettings.longestActiveTimeout : settings.activeTimeout
        activeLimit = UInt32(clamping: min(limit, FlowSettings.longestActiveTimeout).value / 1000)
        table = FlowTable(bytes: settings.bytes, hash: hash)
        ranking = settings.rankingCapacity > 0 ? FlowRanking(capacity: settings.rankingCapacity, hash: hash) : nil
    }

    /// Takes a packet: what was decoded of it, its length on the wire, and when it was seen, in nanoseconds since 1970.
    ///
    /// An unknown time is `CapturedPacket.unknownTime`. The frame comes as a pointer, because a value of its size
    /// is copied at every call, field by field, which costs more than to decode it.
    @inline(__always)
    mutating func process(_ frame: UnsafePointer<DecodedFrame>, length: UInt32, at stamp: Int64) {
        let time = stamp == CapturedPacket.unknownTime ? lastTime : stamp
        lastTime = time
        // A clock that was set back is far away in unsigned numbers.
        if UInt64(bitPattern: time &- lastSweep) >= Self.sweepInterval { sweep(at: time) }
        guard frame.pointee.hasAddresses else { return totals.withoutFlow.add(length) }
        let (key, sender) = FlowKey.of(frame.pointee)
        let hash = table.hash(of: key)
        var slot = FlowQueue.none
        switch table.search(key, hash: hash) {
        case .flow(let found): slot = found
        case .nothing(let gap): slot = begin(key, hash, gap, frame, sender, time)
        }
        take(frame, slot, sender, length, time)
    }

    /// Ends flows whose time-out has passed, a bounded number; call it also while no packets come.
    ///
    /// Times before the last one are taken for a clock that was set back: then flows end after the same time again.
    mutating func sweep(at time: Int64) {
        lastSweep = time
        guard settings.expiry == .timeouts else { return }
        var budget = Self.sweepLimit
        expire(.closing, settings.closingTimeout.value, time, &budget)
        expire(.datagram, settings.datagramTimeout.value, time, &budget)
        expire(.stream, settings.streamTimeout.value, time, &budget)
        // There is more to end: continue with the next packet.
        if budget == 0 { lastSweep = time &- Int64(Self.sweepInterval) }
    }

    private mutating func expire(_ queue: FlowQueue.Name, _ timeout: Int64, _ time: Int64, _ budget: inout Int) {
        while budget > 0, let slot = table.oldest(queue) {
            // A clock that was set back by more than the time-out ends the flow as well.
            guard time.distance(isBeyond: timeout, from: table[slot].pointee.last) else { return }
            end(slot, table[slot].pointee.closing.reason ?? .idle)
            budget &-= 1
        }
    }

    /// Ends a flow permanently.
    mutating func end(_ slot: UInt32, _ reason: FlowEndReason) {
        count(slot, reason)
        table.remove(slot)
    }

    /// Counts a flow that ends or continues as a new one.
    mutating func count(_ slot: UInt32, _ reason: FlowEndReason) {
        totals.end(table[slot].pointee, reason)
        ranking?.add(table[slot], host)
    }

    /// Restarts the ranking: what was ranked so far no longer counts.
    mutating func resetRanking() {
        ranking?.reset()
    }

    /// Ranks the growth of the flows in a part of the table since the last time.
    ///
    /// Returns where to continue, or nil at the end. One stretch at a time lets packets through in between.
    mutating func rank(from slot: Int = 0, limit: Int = .max) -> Int? {
        let end = slot &+ min(limit, max(0, table.used &- slot))
        for place in slot..<max(slot, end) {
            let entry = table[UInt32(truncatingIfNeeded: place)]
            if entry.pointee.queue != .free { ranking?.add(entry, host) }
        }
        return end < table.used ? end : nil
    }
}

extension FlowEntry.Closing {
    /// Why a closed flow ends; nil of one that is not closed.
    var reason: FlowEndReason? {
        if contains(.reset) { return .reset }
        return isOver ? .finished : nil
    }
}

extension Int64 {
    /// Whether this time and another one are at least `limit` apart, in either direction.
    fileprivate func distance(isBeyond limit: Int64, from other: Int64) -> Bool {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow || difference >= limit || difference <= 0 &- limit
    }
}
