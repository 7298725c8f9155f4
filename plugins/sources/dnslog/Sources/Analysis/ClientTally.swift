internal import SondePluginKit
internal import SondeWire

/// Queries of clients that are yet to be handed on, many at a time.
///
/// A ranking takes far longer for a query than a look into this table, and as long for a hundred queries as for one. Two
/// clients with the same place replace each other: the count of the first one is handed on then.
struct ClientTally: ~Copyable {
    /// A client, and how many queries of it wait to be handed on.
    struct Entry {
        var client = IPAddress(high: 0, low: 0)
        var count: UInt64 = 0
    }

    private let entries: UnsafeMutablePointer<Entry>
    private let placeBits: UInt64
    private let seed: UInt64

    /// A table of two to the power of `placeBits` (1 to 20) places; other numbers are moved there.
    ///
    /// Without `seed`, clients with the same place cannot be chosen.
    init(placeBits: Int, seed: UInt64) {
        self.seed = seed
        self.placeBits = UInt64(min(max(placeBits, 1), 20))
        entries = .allocate(capacity: 1 << Int(self.placeBits))
        entries.initialize(repeating: Entry(), count: 1 << Int(self.placeBits))
    }

    deinit {
        entries.deallocate()
    }

    /// Counts a query of `client`; what had its place has to be handed on, unless its count is 0.
    @inline(always)
    mutating func add(_ client: IPAddress) -> Entry {
        let hash = KeyHash.of(client.high, client.low, seed: seed)
        let entry = entries + Int(truncatingIfNeeded: hash &>> (64 &- placeBits))
        if entry.pointee.client.low == client.low, entry.pointee.client.high == client.high {
            entry.pointee.count &+= 1
            return Entry()
        }
        let former = entry.pointee
        entry.pointee = Entry(client: client, count: 1)
        return former
    }

    /// Hands on everything.
    mutating func drain(_ body: (Entry) -> Void) {
        for place in 0..<(1 << Int(placeBits)) where entries[place].count > 0 {
            body(entries[place])
            entries[place].count = 0
        }
    }
}
