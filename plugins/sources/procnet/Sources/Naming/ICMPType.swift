internal import SondeDomain

/// The names in the attribute `icmp.type`, after the IANA registries "ICMP Type Numbers" and "ICMPv6 type Numbers".
enum ICMPType {
    /// Type numbers of ICMP that have their own column in the kernel's `Icmp` row (`icmpmibmap`,
    /// net/ipv4/proc.c), or are common.
    private static let ipv4: [Int: String] = [
        0: "echo_reply", 3: "destination_unreachable", 4: "source_quench", 5: "redirect", 8: "echo_request",
        9: "router_advertisement", 10: "router_solicitation", 11: "time_exceeded", 12: "parameter_problem",
        13: "timestamp_request", 14: "timestamp_reply", 17: "address_mask_request", 18: "address_mask_reply",
    ]

    /// Type numbers of ICMPv6 (`icmp6type2name`, net/ipv6/proc.c).
    private static let ipv6: [Int: String] = [
        1: "destination_unreachable", 2: "packet_too_big", 3: "time_exceeded", 4: "parameter_problem",
        128: "echo_request", 129: "echo_reply", 130: "multicast_listener_query", 131: "multicast_listener_report",
        132: "multicast_listener_done", 133: "router_solicitation", 134: "router_advertisement",
        135: "neighbor_solicitation", 136: "neighbor_advertisement", 137: "redirect",
        143: "multicast_listener_report_v2",
    ]

    /// The kernel's column names after `In` and `Out` of the `Icmp` row.
    static let ipv4Columns = [
        "DestUnreachs": 3, "TimeExcds": 11, "ParmProbs": 12, "SrcQuenchs": 4, "Redirects": 5, "Echos": 8,
        "EchoReps": 0, "Timestamps": 13, "TimestampReps": 14, "AddrMasks": 17, "AddrMaskReps": 18,
    ]

    /// The kernel's column names after `Icmp6In` and `Icmp6Out`.
    static let ipv6Columns = [
        "DestUnreachs": 1, "PktTooBigs": 2, "TimeExcds": 3, "ParmProblems": 4, "Echos": 128, "EchoReplies": 129,
        "GroupMembQueries": 130, "GroupMembResponses": 131, "GroupMembReductions": 132, "RouterSolicits": 133,
        "RouterAdvertisements": 134, "NeighborSolicits": 135, "NeighborAdvertisements": 136, "Redirects": 137,
        "MLDv2Reports": 143,
    ]

    /// The name of a type, or its number.
    static func name(_ number: Int, of family: AddressFamily) -> String {
        let names = family == .ipv4 ? ipv4 : ipv6
        return names[number] ?? String(number)
    }

    /// Direction and type of a column that counts one type: `InDestUnreachs` or `OutType135`; nil for another column.
    static func column(_ name: String, of family: AddressFamily) -> (direction: Direction, type: String)? {
        let direction: Direction
        let rest: Substring
        if name.hasPrefix("In") {
            (direction, rest) = (.receive, name.dropFirst(2))
        } else if name.hasPrefix("Out") {
            (direction, rest) = (.transmit, name.dropFirst(3))
        } else {
            return nil
        }
        let columns = family == .ipv4 ? ipv4Columns : ipv6Columns
        if let number = columns[String(rest)] { return (direction, Self.name(number, of: family)) }
        guard rest.hasPrefix("Type"), let number = UInt8(rest.dropFirst(4)) else { return nil }
        return (direction, Self.name(Int(number), of: family))
    }
}

/// The attribute `network.type`.
enum AddressFamily: String {
    case ipv4
    case ipv6

    var attribute: Attribute { Attribute("network.type", rawValue) }
}
