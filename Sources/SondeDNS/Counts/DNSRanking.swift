public import SondePluginKit
public import SondeWire

/// The names and clients of an interval: the heaviest ones, and how many there were; bounded.
///
/// How names are folded and hashed is up to the caller. Use it from one thread.
public struct DNSRanking: ~Copyable {
    /// Queried names, as far as privacy lets them be counted.
    public var names: SpaceSaving
    /// Clients, by the 16 bytes of their addresses.
    public var clients: SpaceSaving
    /// Names that queries failed for.
    public var failingNames: SpaceSaving
    /// How many names were queried.
    public var distinctNames = DistinctCount()
    /// How many clients sent queries.
    public var distinctClients = DistinctCount()

    /// A ranking that keeps `capacity` keys of each kind, at least one.
    public init(capacity: Int) {
        names = SpaceSaving(capacity: capacity)
        clients = SpaceSaving(capacity: capacity, keyCapacity: 16)
        failingNames = SpaceSaving(capacity: capacity)
    }

    /// Adds `queries` of a client to ``clients``; `hash` is of its address, with a secret seed.
    @inlinable
    public mutating func add(client: IPAddress, hash: UInt64, queries: UInt64 = 1) {
        // Addresses have the order of their bytes in the key.
        var bytes = (client.high.bigEndian, client.low.bigEndian)
        withUnsafeBytes(of: &bytes) { clients.add($0, hash: hash, weight: queries) }
    }

    /// Removes everything: another interval begins.
    public mutating func reset() {
        names.reset()
        clients.reset()
        failingNames.reset()
        distinctNames.reset()
        distinctClients.reset()
    }
}
