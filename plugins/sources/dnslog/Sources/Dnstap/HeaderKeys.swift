import SondePluginKit

/// The keys of queries that came lately by what a bare header has of them; bounded.
///
/// A response without a question section, which unbound sends to refused clients, has no name and no type (RFC 1035,
/// section 4.1.2, lets a message have no question); nor does one whose counts are absurd. A place serves several keys: the newest
/// query has it.
struct HeaderKeys: ~Copyable {
    private struct Slot {
        var header: UInt64 = 0
        var key: UInt64 = 0
    }

    private static let capacity = 1 << 13

    private let slots = FixedTable(count: capacity, Slot())

    /// A query of `key` came, of whose header `header` is left when name and type are missing.
    mutating func note(_ header: UInt64, _ key: UInt64) {
        slots[Self.place(header)] = Slot(header: header, key: key)
    }

    /// The key of the newest query of this header; nil when that is not known.
    func key(of header: UInt64) -> UInt64? {
        let slot = slots[Self.place(header)]
        return slot.header == header && slot.key != 0 ? slot.key : nil
    }

    private static func place(_ header: UInt64) -> Int {
        Int(truncatingIfNeeded: KeyHash.mix(header) % UInt64(capacity))
    }
}
