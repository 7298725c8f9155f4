import SondePluginKit

/// Pairs DNS queries with their responses.
///
/// A transaction is one id between the same addresses and ports with the same question; its time runs from the first query.
/// Answered ones are kept until their time is over, so that duplicates are recognized, and unanswered ones
/// for a minute, so that late answers are. When the table is full the oldest answered one leaves first, then
/// the oldest that failed, and only then one that still waits, which is counted.
///
/// Time is the packets' own, in nanoseconds. Nothing is allocated but when the table grows towards its bound.
struct TransactionTable: ~Copyable {
    enum State: UInt8 {
        case waiting
        case answered
        case failed
        /// Failed, and answered when it was too late.
        case late
    }

    struct Entry {
        /// The hash of addresses, ports and id.
        var key: UInt64
        /// The hash of the question, 0 without one.
        var question: UInt64
        /// When the first query was seen.
        var start: Int64
        var links = SlotLinks()
        var state = State.waiting
        var lane: DNSLane
    }

    let limits: TransactionLimits
    /// Transactions that ended without an answer, by lane.
    private(set) var unanswered = DNSLaneCounts()
    /// Transactions that left the full table while they waited, by lane: how they ended is unknown.
    private(set) var evicted = DNSLaneCounts()
    /// Unanswered transactions that left the full table: a later answer is not recognized as theirs.
    private(set) var forgotten: UInt64 = 0

    private(set) var entries: UnsafeMutablePointer<Entry>
    private var capacity: Int
    /// How many slots were ever used; those of entries that left are in `free`.
    private var used = 0
    private var free = SlotLinks.none
    private var index: SlotIndex
    private var waiting = SlotChain()
    private var answered = SlotChain()
    private var failed = SlotChain()

    init(limits: TransactionLimits = TransactionLimits()) {
        self.limits = limits
        capacity = min(256, limits.transactions)
        entries = .allocate(capacity: capacity)
        index = SlotIndex(capacity: capacity)
    }

    deinit {
        entries.deallocate()
    }

    /// How many transactions are remembered.
    var count: Int { index.count }

    /// The bytes that the table holds.
    var byteCount: Int { capacity &* MemoryLayout<Entry>.stride &+ index.byteCount }

    /// The slot of the transaction that `isMatch` accepts among those with this key.
    @inline(__always)
    func slot(key: UInt64, where isMatch: (borrowing Entry) -> Bool) -> UInt32? {
        if case .slot(let slot) = search(key: key, where: isMatch) { return slot }
        return nil
    }

    /// Looks for the transaction that `isMatch` accepts among those with this key.
    @inline(__always)
    func search(key: UInt64, where isMatch: (borrowing Entry) -> Bool) -> SlotIndex.Search {
        let entries = entries
        return index.search(hash: key) { slot in
            let entry = entries + Int(slot)
            return entry.pointee.key == key && isMatch(entry.pointee)
        }
    }

    /// Adds a new transaction that waits, and removes another one when there is no room.
    ///
    /// `gap` is where the search for it has ended.
    @inline(__always)
    mutating func insert(_ entry: Entry, at gap: SlotIndex.Gap) {
        let slot: UInt32
        if let free = takeSlot() {
            slot = free
            index.insert(slot, hash: entry.key, at: gap)
        } else {
            evictOne()
            slot = takeFreed()
            index.insert(slot, hash: entry.key)
        }
        (entries + Int(slot)).initialize(to: entry)
        append(slot, to: .waiting)
    }

    /// Gives an entry another state, as the newest of that state.
    mutating func move(_ slot: UInt32, to state: State) {
        move(slot, from: entries[Int(slot)].state, to: state)
    }

    /// The same for an entry whose state is known.
    @inline(__always)
    mutating func move(_ slot: UInt32, from old: State, to state: State) {
        unlink(slot, from: old)
        entries[Int(slot)].state = state
        append(slot, to: state)
    }

    /// Ends what has waited too long at `now`, and removes what is no longer needed.
    @inline(__always)
    mutating func expire(now: Int64) {
        while waiting.first != SlotLinks.none, age(of: waiting.first, now: now) > limits.timeout {
            fail(waiting.first)
        }
        while answered.first != SlotLinks.none, age(of: answered.first, now: now) > limits.timeout {
            forget(answered.first)
        }
        while failed.first != SlotLinks.none, age(of: failed.first, now: now) > limits.lateness {
            forget(failed.first)
        }
    }

    /// Ends everything that waits, as at the end of a capture file.
    mutating func endAll() {
        while waiting.first != SlotLinks.none { fail(waiting.first) }
    }

    /// How long ago a transaction began; 0 for one of the future.
    @inline(__always)
    func age(of slot: UInt32, now: Int64) -> Int64 {
        let (age, overflow) = now.subtractingReportingOverflow(entries[Int(slot)].start)
        return overflow ? (now > 0 ? .max : 0) : max(0, age)
    }
}

extension TransactionTable {
    /// Ends a transaction that waits: nothing answered it.
    mutating func fail(_ slot: UInt32) {
        unanswered.add(1, to: entries[Int(slot)].lane)
        move(slot, to: .failed)
    }

    private mutating func forget(_ slot: UInt32) {
        unlink(slot, from: entries[Int(slot)].state)
        index.remove(slot, hash: entries[Int(slot)].key)
        entries[Int(slot)].links.next = free
        free = slot
    }

    /// A slot for another entry; nil when one has to leave first.
    @inline(__always)
    private mutating func takeSlot() -> UInt32? {
        if free != SlotLinks.none { return takeFreed() }
        if used == capacity, capacity < limits.transactions { grow() }
        guard used < capacity else { return nil }
        used &+= 1
        return UInt32(truncatingIfNeeded: used &- 1)
    }

    /// The slot of the entry that left last; there is one.
    @inline(__always)
    private mutating func takeFreed() -> UInt32 {
        let slot = free
        free = entries[Int(slot)].links.next
        return slot
    }

    @inline(never)
    private mutating func evictOne() {
        if answered.first != SlotLinks.none {
            forget(answered.first)
        } else if failed.first != SlotLinks.none {
            if entries[Int(failed.first)].state == .failed { forgotten &+= 1 }
            forget(failed.first)
        } else {
            evicted.add(1, to: entries[Int(waiting.first)].lane)
            forget(waiting.first)
        }
    }

    @inline(never)
    private mutating func grow() {
        let larger = min(capacity &* 2, limits.transactions)
        let moved = UnsafeMutablePointer<Entry>.allocate(capacity: larger)
        moved.moveInitialize(from: entries, count: used)
        entries.deallocate()
        entries = moved
        capacity = larger
    }

    @inline(__always)
    private mutating func append(_ slot: UInt32, to state: State) {
        let entries = entries
        let links: (UInt32) -> UnsafeMutablePointer<SlotLinks> = { Self.links(entries, $0) }
        switch state {
        case .waiting: waiting.append(slot, links: links)
        case .answered: answered.append(slot, links: links)
        case .failed, .late: failed.append(slot, links: links)
        }
    }

    @inline(__always)
    private mutating func unlink(_ slot: UInt32, from state: State) {
        let entries = entries
        let links: (UInt32) -> UnsafeMutablePointer<SlotLinks> = { Self.links(entries, $0) }
        switch state {
        case .waiting: waiting.remove(slot, links: links)
        case .answered: answered.remove(slot, links: links)
        case .failed, .late: failed.remove(slot, links: links)
        }
    }

    @inline(__always)
    private static func links(
        _ entries: UnsafeMutablePointer<Entry>,
        _ slot: UInt32
    ) -> UnsafeMutablePointer<SlotLinks> {
        let offset = MemoryLayout<Entry>.offset(of: \.links).unsafelyUnwrapped
        return UnsafeMutableRawPointer(entries + Int(slot)).advanced(by: offset)
            .assumingMemoryBound(to: SlotLinks.self)
    }
}
