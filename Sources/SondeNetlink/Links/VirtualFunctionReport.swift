/// What one virtual function of a network card has counted, as the card's driver reports it (SR-IOV, IFLA_VF_STATS in
/// linux/if_link.h).
public struct VirtualFunctionReport: Hashable, Sendable {
    /// The counts in the kernel's order (IFLA_VF_STATS_…).
    public enum Field: UInt16, CaseIterable, Sendable {
        case receivedPackets = 0
        case sentPackets
        case receivedBytes
        case sentBytes
        /// Received.
        case broadcast
        /// Received.
        case multicast
        case receiveDropped = 7
        case sendDropped
    }

    // linux/if_link.h: IFLA_VFINFO_LIST, IFLA_VF_INFO, IFLA_VF_MAC, IFLA_VF_STATS
    private static let list: UInt16 = 22
    private static let function: UInt16 = 1
    private static let address: UInt16 = 1
    private static let statistics: UInt16 = 8

    /// Which one of its card it is.
    public var number: UInt32
    private var counts: [Field: UInt64] = [:]

    /// A count, or nil where the driver does not report it.
    public subscript(field: Field) -> UInt64? { counts[field] }

    /// The function in an attribute IFLA_VF_INFO; nil when it does not contain its number, or no count.
    init?(_ attribute: NetlinkAttribute) {
        var number: UInt32?
        for part in attribute.nested {
            // struct ifla_vf_mac begins with the number, as every other part does.
            if part.type == Self.address { number = part.number(UInt32.self) }
            guard part.type == Self.statistics else { continue }
            for count in part.nested {
                if let field = Field(rawValue: count.type) { counts[field] = count.number(UInt64.self) }
            }
        }
        guard let number, !counts.isEmpty else { return nil }
        self.number = number
    }

    /// The functions in an RTM_NEWLINK message, at most `limit` of them.
    static func all(_ message: NetlinkMessage, limit: Int) -> [VirtualFunctionReport] {
        var found: [VirtualFunctionReport] = []
        for attribute in message.attributes(after: 16) where attribute.type == list {
            for part in attribute.nested where part.type == function && found.count < limit {
                if let report = VirtualFunctionReport(part) { found.append(report) }
            }
        }
        return found
    }
}

extension LinkReader {
    /// What the virtual functions of a device have counted, at most `limit` of them; none where there are none, or the
    /// driver does not count.
    ///
    /// Throws ``NetlinkError``; ENODEV when the device is gone, EMSGSIZE when they are too many for one answer.
    public func virtualFunctions(of index: Int32, limit: Int) throws(NetlinkError) -> [VirtualFunctionReport] {
        // linux/rtnetlink.h: RTM_GETLINK, RTM_NEWLINK; struct ifinfomsg; IFLA_EXT_MASK with RTEXT_FILTER_VF.
        let content = [0, 0, 0, 0] + NetlinkRequest.bytes(index) + [UInt8](repeating: 0, count: 8)
        var request = NetlinkRequest(18, .one, content: content)
        request.append(29, UInt32(1))
        return try exchange.ask(&request) { message in
            message.type == 16 ? VirtualFunctionReport.all(message, limit: limit) : nil
        } ?? []
    }
}
