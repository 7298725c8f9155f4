/// Finds the slot in which the owner keeps what has a given hash: the index of a flat table.
///
/// Eight bytes per place, open addressing, no allocation but when it grows. The owner keeps the things themselves in its own
/// slots and checks whether a slot holds what is looked for. Two threads must not use one index at once.
public struct SlotIndex: ~Copyable {
    /// Upper half: the hash; lower half: the slot and one, so that nothing is 0.
    @usableFromInline var places: UnsafeMutablePointer<UInt64>
    @usableFromInline var mask: Int
    /// How many slots are in the index.
    public private(set) var count = 0

    /// An empty index with room for about `capacity` slots before it grows.
    public init(capacity: Int) {
        var size = 16
        while size < min(max(capacity, 0), 1 << 30) &* 2 { size &*= 2 }
        mask = size &- 1
        places = .allocate(capacity: size)
        places.initialize(repeating: 0, count: size)
    }

    deinit {
        places.deallocate()
    }

    /// The bytes that the index holds.
    public var byteCount: Int { (mask &+ 1) &* 8 }

    /// The first slot of this hash that `isMatch` accepts.
    @inlinable
    public func slot(hash: UInt64, where isMatch: (UInt32) -> Bool) -> UInt32? {
        let tag = hash >> 32
        var place = Int(truncatingIfNeeded: tag) & mask
        while true {
            let entry = places[place]
            if entry == 0 { return nil }
            if entry >> 32 == tag {
                let slot = UInt32(truncatingIfNeeded: entry) &- 1
                if isMatch(slot) { return slot }
            }
            place = (place &+ 1) & mask
        }
    }

    /// Adds a slot, which must be below `UInt32.max` and not be in the index yet.
    public mutating func insert(_ slot: UInt32, hash: UInt64) {
        if count &* 4 >= (mask &+ 1) &* 3 { grow() }
        put((hash & 0xffff_ffff_0000_0000) | UInt64(slot &+ 1))
        count &+= 1
    }

    /// Removes a slot that was added with this hash; nothing happens when there is none.
    public mutating func remove(_ slot: UInt32, hash: UInt64) {
        let wanted = (hash & 0xffff_ffff_0000_0000) | UInt64(slot &+ 1)
        var hole = Int(truncatingIfNeeded: hash >> 32) & mask
        while places[hole] != wanted {
            guard places[hole] != 0 else { return }
            hole = (hole &+ 1) & mask
        }
        count &-= 1
        closeGap(from: hole)
    }

    /// Forgets all slots.
    public mutating func removeAll() {
        places.update(repeating: 0, count: mask &+ 1)
        count = 0
    }

    /// Moves back what was pushed beyond its place, so that a search never ends too early.
    private mutating func closeGap(from start: Int) {
        var hole = start
        var place = (hole &+ 1) & mask
        while places[place] != 0 {
            let home = Int(truncatingIfNeeded: places[place] >> 32) & mask
            if (place &- home) & mask >= (place &- hole) & mask {
                places[hole] = places[place]
                hole = place
            }
            place = (place &+ 1) & mask
        }
        places[hole] = 0
    }

    private mutating func put(_ entry: UInt64) {
        var place = Int(truncatingIfNeeded: entry >> 32) & mask
        while places[place] != 0 { place = (place &+ 1) & mask }
        places[place] = entry
    }

    private mutating func grow() {
        let old = UnsafeMutableBufferPointer(start: places, count: mask &+ 1)
        let size = old.count &* 2
        places = .allocate(capacity: size)
        places.initialize(repeating: 0, count: size)
        mask = size &- 1
        for entry in old where entry != 0 { put(entry) }
        old.deallocate()
    }
}
