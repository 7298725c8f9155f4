internal import Glibc
internal import SondePluginKit

/// Holds flows in a fixed amount of memory.
///
/// Entries are in one block that becomes resident when used; places are found through an index that grows by doubling,
/// which for half a million flows is a few milliseconds once. The table does not decide what ends: its owner does.
struct FlowTable: ~Copyable {
    /// How many flows there is room for.
    let capacity: Int
    /// The bound of entries and index together; less than requested when so much memory is not available.
    let bytes: Int
    /// How many flows there are.
    private(set) var count = 0
    /// Entries from here on have never been used.
    private(set) var used = 0

    private let hash: FlowHash
    private let entries: UnsafeMutablePointer<FlowEntry>
    private let queues: UnsafeMutablePointer<FlowQueue>
    private var index: SlotIndex
    private var freed = FlowQueue.none

    /// A table whose entries and index together never take more than `bytes`.
    init(bytes: Int, hash: FlowHash, memory: FlowMemory = .system) {
        let block = memory.block(atMost: bytes)
        self.bytes = block.bytes
        capacity = block.capacity
        self.hash = hash
        entries = block.entries
        queues = .allocate(capacity: 4)
        queues.initialize(repeating: FlowQueue(), count: 4)
        index = SlotIndex(capacity: min(capacity, 512))
    }

    deinit {
        free(entries)
        queues.deallocate()
    }

    /// How many flows fit: the most that leave room for the index, and for its half of before while it doubles.
    static func capacity(of bytes: Int) -> Int {
        var best = 1
        var places = 16
        while places <= 1 << 30 {
            let room = max(0, bytes &- places &* 12) / MemoryLayout<FlowEntry>.stride
            best = max(best, min(room, places / 4 &* 3))
            places &*= 2
        }
        return best
    }

    /// The entry in a slot.
    subscript(slot: UInt32) -> UnsafeMutablePointer<FlowEntry> { entries + Int(slot) }

    /// Whether another flow needs the place of one that is there.
    var isFull: Bool { count >= capacity }

    /// How much of the memory has been used.
    var byteCount: Int { used &* MemoryLayout<FlowEntry>.stride &+ index.byteCount }

    /// The hash of a key.
    @inline(__always)
    func hash(of key: FlowKey) -> UInt64 { hash.of(key) }

    /// A place for a flow that is not in the table.
    struct Gap {
        fileprivate let place: SlotIndex.Gap
        /// Whether another flow has the same hash, as those of one conversation on different VLANs have.
        let isShared: Bool
    }

    /// What there is for a key.
    enum Search {
        case flow(UInt32)
        /// None; the gap is valid until the table changes.
        case nothing(Gap)
    }

    /// Looks for the flow of a key.
    @inline(__always)
    func search(_ key: FlowKey, hash: UInt64) -> Search {
        // Not the table itself, which would be copied for the closure.
        let entries = entries
        var isShared = false
        let search = index.search(hash: hash) { slot in
            isShared = true
            return entries[Int(slot)].key == key
        }
        switch search {
        case .slot(let slot): return .flow(slot)
        case .nothing(let place): return .nothing(Gap(place: place, isShared: isShared))
        }
    }

    /// The flow of a key.
    func slot(of key: FlowKey, hash: UInt64) -> UInt32? {
        if case .flow(let slot) = search(key, hash: hash) { return slot }
        return nil
    }

    /// Whether there is a flow between the same ends, on any VLAN.
    func holdsConversation(of key: FlowKey, hash: UInt64) -> Bool {
        let (entries, wanted) = (entries, key.conversation)
        return index.slot(hash: hash) { slot in entries[Int(slot)].key.conversation == wanted } != nil
    }

    /// Adds a flow that is not there yet to a table that is not full.
    @inline(__always)
    mutating func insert(_ entry: FlowEntry, hash: UInt64, into queue: FlowQueue.Name) -> UInt32 {
        let slot = take(entry, into: queue)
        index.insert(slot, hash: hash)
        return slot
    }

    /// The same where the search for it has ended; nothing was added or removed since.
    @inline(__always)
    mutating func insert(
        _ entry: FlowEntry, hash: UInt64, at gap: Gap, into queue: FlowQueue.Name
    ) -> UInt32 {
        let slot = take(entry, into: queue)
        index.insert(slot, hash: hash, at: gap.place)
        return slot
    }

    @inline(__always)
    private mutating func take(_ entry: FlowEntry, into queue: FlowQueue.Name) -> UInt32 {
        let slot = takeSlot()
        (entries + Int(slot)).initialize(to: entry)
        count &+= 1
        append(slot, to: queue)
        return slot
    }

    /// Removes a flow.
    mutating func remove(_ slot: UInt32) {
        unlink(slot)
        index.remove(slot, hash: hash.of(self[slot].pointee.key))
        self[slot].pointee.queue = .free
        self[slot].pointee.older = freed
        freed = slot
        count &-= 1
    }

    @inline(__always)
    private mutating func takeSlot() -> UInt32 {
        guard freed == FlowQueue.none else {
            let slot = freed
            freed = self[slot].pointee.older
            return slot
        }
        used &+= 1
        return UInt32(truncatingIfNeeded: used &- 1)
    }
}

extension FlowTable {
    /// The flow in a queue that has not been seen for the longest time, within about a second.
    func oldest(_ queue: FlowQueue.Name) -> UInt32? {
        let slot = queues[Int(queue.rawValue)].oldest
        return slot == FlowQueue.none ? nil : slot
    }

    /// The flow to give up for another one: a closed one, or else the one that has not been seen for the longest time.
    var leastUseful: UInt32? {
        if let closing = oldest(.closing) { return closing }
        guard let stream = oldest(.stream) else { return oldest(.datagram) }
        guard let datagram = oldest(.datagram) else { return stream }
        return self[stream].pointee.last < self[datagram].pointee.last ? stream : datagram
    }

    /// Puts a flow at the new end of a queue.
    @inline(never)
    mutating func requeue(_ slot: UInt32, to queue: FlowQueue.Name) {
        unlink(slot)
        append(slot, to: queue)
    }

    @inline(__always)
    private mutating func append(_ slot: UInt32, to queue: FlowQueue.Name) {
        let list = queues + Int(queue.rawValue)
        let entry = self[slot]
        entry.pointee.queue = queue
        entry.pointee.newer = FlowQueue.none
        entry.pointee.older = list.pointee.newest
        if list.pointee.newest == FlowQueue.none {
            list.pointee.oldest = slot
        } else {
            self[list.pointee.newest].pointee.newer = slot
        }
        list.pointee.newest = slot
    }

    @inline(__always)
    private mutating func unlink(_ slot: UInt32) {
        let entry = self[slot]
        let list = queues + Int(entry.pointee.queue.rawValue)
        let (newer, older) = (entry.pointee.newer, entry.pointee.older)
        if newer == FlowQueue.none {
            list.pointee.newest = older
        } else {
            self[newer].pointee.older = older
        }
        if older == FlowQueue.none {
            list.pointee.oldest = newer
        } else {
            self[older].pointee.newer = newer
        }
    }
}
