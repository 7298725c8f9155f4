/// What identifies a series, all but its number, in sixteen bytes: for tables that know more series than they could
/// hold.
///
/// Two different series have the same one by a chance of 1 in 2^128. It holds for the life of the process only, since the
/// hash gets a new seed at each start, so an attacker cannot choose collisions.
public struct SeriesFingerprint: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// The fingerprint of a series.
    public init(_ series: Series) {
        high = Self.hash(series, seed: 0)
        low = Self.hash(series, seed: 1)
    }

    private static func hash(_ series: Series, seed: UInt8) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(seed)
        hasher.combine(series.source)
        hasher.combine(series.name)
        hasher.combine(series.kind)
        hasher.combine(series.unit)
        hasher.combine(series.attributes)
        hasher.combine(series.labels)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
