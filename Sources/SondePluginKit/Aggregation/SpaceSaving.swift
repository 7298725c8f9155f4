/// Counts the heaviest keys of a stream in bounded memory.
///
/// Space-Saving (Metwally, Agrawal, El Abbadi 2005): a key that is not kept takes over the counter of the lightest one. No
/// count is too small, none is too large by more than its ``TopKeys/Entry/error``, and the counts of all kept keys together
/// are the total, but for what can have no key. A key heavier than `total / capacity` is always kept.
///
/// An update costs one look-up; a key that is not kept costs a few steps more where all weights are one, and logarithmically
/// many otherwise. Memory is taken once, at the beginning. Two threads must not use one sketch at once.
public struct SpaceSaving: ~Copyable {
    /// The longest key there can be, in bytes.
    public static let longestKey = 255

    @usableFromInline
    struct Counter {
        @usableFromInline var hash: UInt64 = 0
        @usableFromInline var count: UInt64 = 0
        var error: UInt64 = 0
        @usableFromInline var length: UInt32 = 0
        /// The next slot whose hash begins alike.
        @usableFromInline var next = SlotLinks.none
    }

    /// How many keys are kept at most.
    public let capacity: Int
    /// The longest key that is kept; longer ones count only in the total.
    public let keyCapacity: Int
    /// The weight of all keys so far.
    public var total: UInt64 { weight }
    /// How many keys are kept.
    public private(set) var count = 0

    @usableFromInline var weight: UInt64 = 0
    /// A counter directly followed by its key: what is used together is stored together.
    @usableFromInline let slots: UnsafeMutableRawPointer
    @usableFromInline let stride: Int
    /// The first slot for each beginning of a hash.
    ///
    /// Chains rather than places in a table: a key leaves with every one that comes, and no other has to move.
    @usableFromInline let heads: UnsafeMutablePointer<UInt32>
    @usableFromInline let mask: UInt64
    private var lightest: LightestFirst
    private let seed = KeyHash.processSeed

    /// A sketch of `capacity` keys (1 to 1,000,000) of at most `keyCapacity` bytes (1 to 255); other numbers are moved there.
    public init(capacity: Int, keyCapacity: Int = SpaceSaving.longestKey) {
        self.capacity = min(max(capacity, 1), 1_000_000)
        self.keyCapacity = min(max(keyCapacity, 1), Self.longestKey)
        stride = (MemoryLayout<Counter>.stride &+ self.keyCapacity &+ 7) & ~7
        slots = .allocate(byteCount: self.capacity &* stride, alignment: 8)
        var size = 16
        // Four for each key, so that most chains have one: a longer one is a branch that is hard to predict.
        while size < self.capacity &* 4 { size &*= 2 }
        mask = UInt64(size &- 1)
        heads = .allocate(capacity: size)
        heads.initialize(repeating: SlotLinks.none, count: size)
        lightest = LightestFirst(capacity: self.capacity)
    }

    deinit {
        slots.deallocate()
        heads.deallocate()
    }

    /// Adds `weight` to a key.
    public mutating func add(_ key: UnsafeRawBufferPointer, weight: UInt64 = 1) {
        add(key, hash: KeyHash.of(key, seed: seed), weight: weight)
    }

    /// Adds `weight` to a key whose hash the caller knows already: always the same for the same key, and well spread.
    ///
    /// Where remote hosts choose keys, the hash has a secret seed.
    public mutating func add(_ key: UnsafeRawBufferPointer, hash: UInt64, weight: UInt64 = 1) {
        self.weight = Self.sum(self.weight, weight)
        guard key.count <= keyCapacity else { return }
        let hash = KeyHash.mix(hash)
        if let counter = counter(of: key, hash) {
            counter.pointee.count = Self.sum(counter.pointee.count, weight)
        } else {
            take(count < capacity ? nextFreeSlot() : lightestSlot(), key, hash, weight)
        }
    }

    /// Adds one to a key that is kept, under a hash as in ``add(_:hash:weight:)``; where it is not, nothing happens.
    ///
    /// Returns whether it is kept. It is then a few instructions at the place of the call.
    @inlinable
    @inline(always)
    public mutating func addIfKept(_ key: UnsafeRawBufferPointer, hash: UInt64) -> Bool {
        guard let counter = counter(of: key, KeyHash.mix(hash)) else { return false }
        weight = Self.sum(weight, 1)
        counter.pointee.count = Self.sum(counter.pointee.count, 1)
        return true
    }

    /// Adds one to a key that is not kept, as ``addIfKept(_:hash:)`` has just found, under the same hash.
    public mutating func addNew(_ key: UnsafeRawBufferPointer, hash: UInt64) {
        weight = Self.sum(weight, 1)
        guard key.count <= keyCapacity else { return }
        take(count < capacity ? nextFreeSlot() : lightestSlot(), key, KeyHash.mix(hash), 1)
    }

    /// Adds `weight` of keys that cannot be kept and that are indistinguishable: it counts only in the total.
    public mutating func addUnkept(weight: UInt64 = 1) {
        self.weight = Self.sum(self.weight, weight)
    }

    /// The heaviest `limit` keys, and the weight of all others.
    public func top(_ limit: Int) -> TopKeys {
        var entries = (0..<count).map { slot in
            let counter = counter(slot)
            return TopKeys.Entry(
                key: [UInt8](Self.key(counter)), count: counter.pointee.count, error: counter.pointee.error)
        }
        entries.sort(by: TopKeys.Entry.isHeavier)
        return TopKeys(entries: Array(entries.prefix(max(limit, 0))), total: total)
    }

    /// Forgets everything.
    public mutating func reset() {
        weight = 0
        count = 0
        heads.update(repeating: SlotLinks.none, count: Int(mask) &+ 1)
        lightest.removeAll()
    }
}

extension SpaceSaving {
    @inlinable
    @inline(__always)
    func counter(_ slot: Int) -> UnsafeMutablePointer<Counter> {
        (slots + slot &* stride).assumingMemoryBound(to: Counter.self)
    }

    @inlinable
    @inline(__always)
    static func keyStart(_ counter: UnsafeMutablePointer<Counter>) -> UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(counter) + MemoryLayout<Counter>.stride
    }

    @inlinable
    @inline(__always)
    static func key(_ counter: UnsafeMutablePointer<Counter>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: keyStart(counter), count: Int(counter.pointee.length))
    }

    /// The counter that a key has, if it is kept.
    @inlinable
    @inline(__always)
    func counter(of key: UnsafeRawBufferPointer, _ hash: UInt64) -> UnsafeMutablePointer<
        Counter
    >? {
        var slot = heads[Int(truncatingIfNeeded: hash & mask)]
        while slot != SlotLinks.none {
            let counter = counter(Int(slot))
            if counter.pointee.hash == hash, Int(counter.pointee.length) == key.count,
                Self.key(counter).isSame(as: key)
            {
                return counter
            }
            slot = counter.pointee.next
        }
        return nil
    }

    private mutating func nextFreeSlot() -> Int {
        counter(count).initialize(to: Counter())
        count &+= 1
        return count &- 1
    }

    /// The slot of the lightest key, which cannot be found any more afterwards.
    @inline(__always)
    private mutating func lightestSlot() -> Int {
        let (slots, stride) = (slots, stride)
        let slot = lightest.removeFirst { slot in
            (slots + slot &* stride).assumingMemoryBound(to: Counter.self).pointee.count
        }
        let counter = counter(slot)
        var link = heads + Int(truncatingIfNeeded: counter.pointee.hash & mask)
        while link.pointee != slot, link.pointee != SlotLinks.none {
            link = Self.next(of: self.counter(Int(link.pointee)))
        }
        link.pointee = counter.pointee.next
        return slot
    }

    /// Gives a slot to a new key, which takes over the count that was there.
    @inline(__always)
    private mutating func take(
        _ slot: Int, _ key: UnsafeRawBufferPointer, _ hash: UInt64, _ weight: UInt64
    ) {
        let counter = counter(slot)
        let inherited = counter.pointee.count
        let count = Self.sum(inherited, weight)
        let head = heads + Int(truncatingIfNeeded: hash & mask)
        counter.pointee = Counter(
            hash: hash, count: count, error: inherited, length: UInt32(truncatingIfNeeded: key.count),
            next: head.pointee
        )
        head.pointee = UInt32(truncatingIfNeeded: slot)
        key.copy(to: Self.keyStart(counter))
        lightest.insert(slot, weight: count)
    }

    @inline(__always)
    private static func next(of counter: UnsafeMutablePointer<Counter>) -> UnsafeMutablePointer<
        UInt32
    > {
        UnsafeMutableRawPointer(counter).advanced(by: MemoryLayout<Counter>.offset(of: \.next) ?? 28)
            .assumingMemoryBound(to: UInt32.self)
    }

    @inlinable
    @inline(__always)
    static func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }
}

extension UnsafeRawBufferPointer {
    /// Copies the bytes word by word: keys are short, and the last word may overlap the one before.
    @inline(__always)
    fileprivate func copy(to target: UnsafeMutableRawPointer) {
        guard let base = baseAddress else { return }
        guard count >= 8 else { return target.copyMemory(from: base, byteCount: count) }
        var position = 0
        while position < count {
            let place = Swift.min(position, count &- 8)
            target.storeBytes(
                of: base.loadUnaligned(fromByteOffset: place, as: UInt64.self), toByteOffset: place, as: UInt64.self)
            position &+= 8
        }
    }

    /// Whether both hold the same bytes; they are equally long.
    @inlinable
    @inline(__always)
    func isSame(as other: UnsafeRawBufferPointer) -> Bool {
        guard let left = baseAddress, let right = other.baseAddress else { return true }
        let last = count &- 8
        guard last >= 0 else { return isSameShort(left, right) }
        // The last word may overlap the one before.
        guard
            left.loadUnaligned(fromByteOffset: last, as: UInt64.self)
                == right.loadUnaligned(fromByteOffset: last, as: UInt64.self)
        else { return false }
        var position = 0
        while position < last {
            guard
                left.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                    == right.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            else { return false }
            position &+= 8
        }
        return true
    }

    @inline(never)
    @usableFromInline
    func isSameShort(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
        var position = 0
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
