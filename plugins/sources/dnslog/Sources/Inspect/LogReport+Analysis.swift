internal import SondeDNS
internal import SondePluginKit
internal import SondeWire

extension LogAnalysis {
    /// Responses that were known already.
    var cachedResponses: UInt64 {
        var sum: UInt64 = 0
        for cell in ResponseCell.all where cell.cache == .hit { sum &+= totals[cell] }
        return sum
    }

    /// Responses that were known already, and of which the log has no code although it has those of others.
    var codelessCachedResponses: UInt64 {
        var sum: UInt64 = 0
        for cell in ResponseCell.all where cell.cache == .hit && cell.codeName == nil { sum &+= totals[cell] }
        return sum
    }

    /// Responses by code, as far as it is known.
    var codes: [NamedCount] {
        var counts: [String: UInt64] = [:]
        for cell in ResponseCell.all {
            if let name = cell.codeName, totals[cell] > 0 { counts[name, default: 0] &+= totals[cell] }
        }
        return counts.sorted { $0.key < $1.key }.map { NamedCount(name: $0.key, count: $0.value) }
    }

    /// Queries by type.
    var types: [NamedCount] {
        totals.types.all.map { code, count in
            let name = code == TypeTable.unknown ? "other" : DNSType(rawValue: code).mnemonic
            return NamedCount(name: name, count: count)
        }
    }

    /// Failures of other servers.
    var upstreamFailures: [LogReport.Upstream] {
        totals.upstreams.all.map { server, cause, count in
            LogReport.Upstream(server: server, error: cause.attribute, count: count)
        }
    }
}
