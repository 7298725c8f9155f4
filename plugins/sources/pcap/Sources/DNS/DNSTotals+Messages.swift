import SondePluginKit
import SondeWire

extension DNSTotals {
    @inline(__always)
    mutating func count(query: borrowing DNSSummary, _ lane: DNSLane, length: Int) {
        lanes.add(to: .queries, lane)
        lanes.add(UInt64(truncatingIfNeeded: length), to: .queryBytes, lane)
        lanes.count(opcode: query.flags.opcode, lane)
        lanes.count(query.flags.contains(.recursionDesired), as: .recursionDesired, lane)
        lanes.count(query.flags.contains(.checkingDisabled), as: .checkingDisabled, lane)
        guard let edns = query.edns else { return }
        lanes.add(to: .ednsQueries, lane)
        lanes.count(edns.isDNSSECOK, as: .dnssecQueries, lane)
        lanes.count(edns.options.contains(.cookie), as: .cookieQueries, lane)
        lanes.count(edns.options.contains(.clientSubnet), as: .clientSubnetQueries, lane)
    }

    @inline(__always)
    mutating func count(response: borrowing DNSSummary, _ lane: DNSLane, length: Int) {
        lanes.add(to: .responses, lane)
        lanes.add(UInt64(truncatingIfNeeded: length), to: .responseBytes, lane)
        lanes.count(code: response.responseCode, lane)
        codes.add(response.responseCode.rawValue)
        lanes.count(response.flags.contains(.authoritative), as: .authoritative, lane)
        lanes.count(response.flags.contains(.truncated), as: .truncated, lane)
        lanes.count(response.flags.contains(.recursionAvailable), as: .recursionAvailable, lane)
        lanes.count(response.flags.contains(.authenticData), as: .authenticData, lane)
        guard let edns = response.edns else { return }
        lanes.add(to: .ednsResponses, lane)
        lanes.count(edns.extendedErrorCode != nil, as: .extendedErrors, lane)
    }

    /// Counts the type of every question of a query.
    @inline(__always)
    mutating func countTypes(of query: borrowing DNSSummary, _ message: WireBytes, _ lane: DNSLane) {
        guard query.hasQuestion else { return }
        count(type: query.questionType, lane)
        if query.questionCount > 1 { countFurtherTypes(of: query, message, lane) }
    }

    @inline(__always)
    mutating func count(type: DNSType, _ lane: DNSLane) {
        lanes.count(type: type, lane)
        types.add(type.rawValue)
    }

    @inline(never)
    private mutating func countFurtherTypes(
        of query: borrowing DNSSummary, _ message: WireBytes, _ lane: DNSLane
    ) {
        query.forEachFurtherType(of: message) { count(type: $0, lane) }
    }

    mutating func count(_ summary: borrowing DNSSummary, of service: DNSService) {
        switch service {
        case .unicast: break
        case .multicast: Self.count(summary, in: &multicast)
        case .linkLocal: Self.count(summary, in: &linkLocal)
        }
    }

    private static func count(_ summary: borrowing DNSSummary, in counts: inout NameServiceCounts) {
        if summary.malformation != nil {
            counts.malformed &+= 1
        } else if summary.extent != .nothing {
            if summary.isResponse { counts.responses &+= 1 } else { counts.queries &+= 1 }
        }
    }
}
