internal import CPcap

/// The names of link types, and which of them can be decoded.
enum LinkTypeName {
    /// Ethernet, BSD loopback, PPP, PPPoE, raw IP and Linux cooked frames.
    private static let decoded: Set<UInt32> = [0, 1, 9, 12, 14, 50, 51, 101, 108, 113, 228, 229, 276]

    /// libpcap's name, `EN10MB`; the number where it has none.
    static func text(_ linkType: UInt32) -> String {
        // LINKTYPE_ and DLT_ differ for this one.
        let number = linkType == 101 ? DLT_RAW : Int32(clamping: linkType)
        return pcap_datalink_val_to_name(number).map { String(cString: $0) } ?? "LINKTYPE_\(linkType)"
    }

    static func isDecoded(_ linkType: UInt32) -> Bool { decoded.contains(linkType) }
}
