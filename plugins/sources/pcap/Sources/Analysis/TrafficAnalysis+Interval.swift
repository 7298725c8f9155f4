internal import SondeDNS
internal import SondePluginKit
internal import SondeWire

extension TrafficAnalysis {
    /// How many flows are ranked before packets have their turn.
    private static let stretch = 32_768
    /// How often a sweep is repeated at most: it ends 64 flows at once.
    private static let sweepLimit = 1024

    /// Takes the addresses that the host has now.
    mutating func setHostAddresses(_ addresses: HostAddresses) {
        flows?.host = addresses
        dns?.setHostAddresses(addresses)
    }

    /// Ends what is over at `time`, up to 65,536 flows of it; for when no packet comes.
    mutating func expireAll(at time: Int64) {
        var sweeps = 0
        var before: UInt64
        repeat {
            before = flows?.totals.ended ?? 0
            expire(at: time)
            sweeps &+= 1
        } while sweeps < Self.sweepLimit && flows?.totals.ended ?? 0 > before
    }

    /// Ranks one part of the flows, and returns where to continue; nil at the end.
    mutating func rank(from place: Int) -> Int? {
        guard flows?.settings.rankingCapacity ?? 0 > 0 else { return nil }
        return flows?.rank(from: place, limit: Self.stretch) ?? nil
    }

    /// Restarts the ranking and the count of different names.
    mutating func startInterval() {
        flows?.resetRanking()
        dns?.totals.top.reset()
    }
}
