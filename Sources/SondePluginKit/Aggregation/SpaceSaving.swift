/// Counts the heaviest keys of a stream in bounded memory.
///
/// Space-Saving (Metwally, Agrawal, El Abbadi 2005): a key that is not kept takes over the counter of the lightest one. No
/// count is too small, none is too large by more than its ``TopKeys/Entry/error``, and the counts of all kept keys together
/// are the total. A key heavier than `total / capacity` is always kept.
///
/// An update costs one look-up; a key that is not kept costs a few steps more, logarithmic in the capacity. Memory is taken
/// once, at the beginning. Two threads must not use one sketch at once.
public struct SpaceSaving: ~Copyable {
    /// The longest key there can be, in bytes.
    public static let longestKey = 255

    struct Counter {
        var hash: UInt64 = 0
        var count: UInt64 = 0
        var error: UInt64 = 0
        var length = 0
    }

    /// How many keys are kept at most.
    public let capacity: Int
    /// The longest key that is kept; longer ones count in the total alone.
    public let keyCapacity: Int
    /// The weight of all keys so far.
    public private(set) var total: UInt64 = 0
    /// How many keys are kept.
    public private(set) var count = 0

    let counters: UnsafeMutablePointer<Counter>
    private let keys: UnsafeMutableRawPointer
    private var index: SlotIndex
    private var lightest: LightestFirst

    /// A sketch of `capacity` keys (1 to 1,000,000) of at most `keyCapacity` bytes (1 to 255); other numbers are moved there.
    public init(capacity: Int, keyCapacity: Int = SpaceSaving.longestKey) {
        self.capacity = min(max(capacity, 1), 1_000_000)
        self.keyCapacity = min(max(keyCapacity, 1), Self.longestKey)
        counters = .allocate(capacity: self.capacity)
        counters.initialize(repeating: Counter(), count: self.capacity)
        keys = .allocate(byteCount: self.capacity &* self.keyCapacity, alignment: 8)
        index = SlotIndex(capacity: self.capacity)
        lightest = LightestFirst(capacity: self.capacity)
    }

    deinit {
        counters.deallocate()
        keys.deallocate()
    }

    /// Adds `weight` to a key.
    public mutating func add(_ key: UnsafeRawBufferPointer, weight: UInt64 = 1) {
        add(key, hash: KeyHash.of(key), weight: weight)
    }

    /// Adds `weight` to a key whose hash the caller knows already: always the same for the same key, and well spread.
    public mutating func add(_ key: UnsafeRawBufferPointer, hash: UInt64, weight: UInt64 = 1) {
        total = Self.sum(total, weight)
        guard key.count <= keyCapacity else { return }
        let hash = KeyHash.mix(hash)
        if let slot = index.slot(hash: hash, where: { holds(Int($0), key, hash) }) {
            counters[Int(slot)].count = Self.sum(counters[Int(slot)].count, weight)
        } else if count < capacity {
            let slot = nextFreeSlot()
            take(slot, key, hash, weight)
            lightest.insert(slot, weight: counters[slot].count)
        } else {
            take(lightestSlot(), key, hash, weight)
        }
    }

    /// The heaviest `limit` keys, and the weight of all others.
    public func top(_ limit: Int) -> TopKeys {
        var entries = (0..<count).map { slot in
            TopKeys.Entry(key: [UInt8](key(slot)), count: counters[slot].count, error: counters[slot].error)
        }
        entries.sort(by: TopKeys.Entry.isHeavier)
        return TopKeys(entries: Array(entries.prefix(max(limit, 0))), total: total)
    }

    /// Forgets everything.
    public mutating func reset() {
        total = 0
        count = 0
        index.removeAll()
        lightest.removeAll()
    }
}

extension SpaceSaving {
    private func key(_ slot: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: keys + slot &* keyCapacity, count: counters[slot].length)
    }

    private func holds(_ slot: Int, _ key: UnsafeRawBufferPointer, _ hash: UInt64) -> Bool {
        counters[slot].hash == hash && key.count == counters[slot].length && self.key(slot).isSame(as: key)
    }

    private mutating func nextFreeSlot() -> Int {
        counters[count] = Counter()
        count &+= 1
        return count &- 1
    }

    /// The slot of the lightest key, which is out of the index afterwards.
    private mutating func lightestSlot() -> Int {
        let slot = lightest.first { [counters] slot in counters[slot].count }
        index.remove(UInt32(truncatingIfNeeded: slot), hash: counters[slot].hash)
        return slot
    }

    /// Gives a slot to a new key, which takes over the count that was there.
    private mutating func take(_ slot: Int, _ key: UnsafeRawBufferPointer, _ hash: UInt64, _ weight: UInt64) {
        let inherited = counters[slot].count
        let count = Self.sum(inherited, weight)
        counters[slot] = Counter(hash: hash, count: count, error: inherited, length: key.count)
        UnsafeMutableRawBufferPointer(start: keys + slot &* keyCapacity, count: keyCapacity).copyMemory(from: key)
        index.insert(UInt32(truncatingIfNeeded: slot), hash: hash)
    }

    private static func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }
}

extension UnsafeRawBufferPointer {
    /// Whether both hold the same bytes; they are equally long.
    fileprivate func isSame(as other: UnsafeRawBufferPointer) -> Bool {
        guard let left = baseAddress, let right = other.baseAddress else { return true }
        var position = 0
        while position &+ 8 <= count {
            let difference =
                left.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                ^ right.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            guard difference == 0 else { return false }
            position &+= 8
        }
        while position < count {
            guard
                left.load(fromByteOffset: position, as: UInt8.self)
                    == right.load(fromByteOffset: position, as: UInt8.self)
            else { return false }
            position &+= 1
        }
        return true
    }
}
