/// Finds the slot in which the owner keeps what has a given hash: the index of a flat table.
///
/// Eight bytes per place, open addressing, no allocation but when it grows. The owner keeps the things themselves in its own
/// slots and checks whether a slot holds what is looked for. Two threads must not use one index at once.
public struct SlotIndex: ~Copyable {
    /// A place: empty, or a slot and the upper half of its hash.
    @usableFromInline
    struct Place {
        /// The slot and one; 0 in an empty place.
        @usableFromInline var number: UInt32
        @usableFromInline var tag: UInt32

        @inlinable
        init(number: UInt32, tag: UInt32) {
            self.number = number
            self.tag = tag
        }
    }

    /// Where a search without a result has ended: where the slot that was looked for belongs.
    public struct Gap {
        @usableFromInline let place: Int

        @inlinable
        init(_ place: Int) {
            self.place = place
        }
    }

    /// What a search has found.
    public enum Search {
        /// The first slot of the hash that was accepted.
        case slot(UInt32)
        /// None; the gap is valid until the index changes.
        case nothing(Gap)
    }

    @usableFromInline var places: UnsafeMutablePointer<Place>
    @usableFromInline var mask: Int
    /// How many slots are in the index.
    @inlinable public var count: Int { total }
    @usableFromInline var total = 0
    /// How many slots fit before it grows: three quarters.
    @usableFromInline var room: Int

    /// An empty index with room for about `capacity` slots before it grows.
    public init(capacity: Int) {
        var size = 16
        while size < min(max(capacity, 0), 1 << 30) &* 2 { size &*= 2 }
        mask = size &- 1
        room = size / 4 &* 3
        places = .allocate(capacity: size)
        places.initialize(repeating: Place(number: 0, tag: 0), count: size)
    }

    deinit {
        places.deallocate()
    }

    /// The bytes that the index holds.
    public var byteCount: Int { (mask &+ 1) &* 8 }

    /// The first slot of this hash that `isMatch` accepts.
    @inlinable
    @inline(always)
    public func slot(hash: UInt64, where isMatch: (UInt32) -> Bool) -> UInt32? {
        let tag = UInt32(truncatingIfNeeded: hash >> 32)
        var place = Int(tag) & mask
        while places[place].number != 0 {
            let slot = places[place].number &- 1
            if places[place].tag == tag, isMatch(slot) { return slot }
            place = (place &+ 1) & mask
        }
        return nil
    }

    /// Looks for the first slot of this hash that `isMatch` accepts.
    @inlinable @inline(__always)
    public func search(hash: UInt64, where isMatch: (UInt32) -> Bool) -> Search {
        let (places, mask) = (places, mask)
        let tag = UInt32(truncatingIfNeeded: hash >> 32)
        var place = Int(tag) & mask
        while true {
            let number = places[place].number
            if places[place].tag == tag, number != 0 {
                if isMatch(number &- 1) { return .slot(number &- 1) }
            } else if number == 0 {
                return .nothing(Gap(place))
            }
            place = (place &+ 1) & mask
        }
    }

    /// Adds a slot, which must be below `UInt32.max` and not be in the index yet.
    public mutating func insert(_ slot: UInt32, hash: UInt64) {
        if total >= room { grow() }
        put(Place(number: slot &+ 1, tag: UInt32(truncatingIfNeeded: hash >> 32)))
        total &+= 1
    }

    /// Adds a slot where the search for it has ended; the index has not changed since.
    @inlinable @inline(__always)
    public mutating func insert(_ slot: UInt32, hash: UInt64, at gap: Gap) {
        guard total < room else { return insert(slot, hash: hash) }
        places[gap.place] = Place(number: slot &+ 1, tag: UInt32(truncatingIfNeeded: hash >> 32))
        total &+= 1
    }

    /// Removes a slot that was added with this hash; nothing happens when there is none.
    public mutating func remove(_ slot: UInt32, hash: UInt64) {
        let tag = UInt32(truncatingIfNeeded: hash >> 32)
        var hole = Int(tag) & mask
        while places[hole].number != slot &+ 1 || places[hole].tag != tag {
            guard places[hole].number != 0 else { return }
            hole = (hole &+ 1) & mask
        }
        total &-= 1
        closeGap(from: hole)
    }

    /// Forgets all slots.
    public mutating func removeAll() {
        places.update(repeating: Place(number: 0, tag: 0), count: mask &+ 1)
        total = 0
    }

    /// Moves back what was pushed beyond its place, so that a search never ends too early.
    @inline(__always)
    private mutating func closeGap(from start: Int) {
        let (places, mask) = (places, mask)
        var hole = start
        var place = (hole &+ 1) & mask
        while places[place].number != 0 {
            let home = Int(places[place].tag) & mask
            if (place &- home) & mask >= (place &- hole) & mask {
                places[hole] = places[place]
                hole = place
            }
            place = (place &+ 1) & mask
        }
        places[hole] = Place(number: 0, tag: 0)
    }

    private mutating func put(_ entry: Place) {
        var place = Int(entry.tag) & mask
        while places[place].number != 0 { place = (place &+ 1) & mask }
        places[place] = entry
    }

    private mutating func grow() {
        let old = UnsafeMutableBufferPointer(start: places, count: mask &+ 1)
        let size = old.count &* 2
        places = .allocate(capacity: size)
        places.initialize(repeating: Place(number: 0, tag: 0), count: size)
        mask = size &- 1
        room = size / 4 &* 3
        for entry in old where entry.number != 0 { put(entry) }
        old.deallocate()
    }
}
