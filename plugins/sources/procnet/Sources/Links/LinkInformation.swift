internal import SondeDomain
internal import SondeNetlink

extension LinkDevice {
    /// The attributes of the info series; what the device has not is left out.
    ///
    /// `name` returns the name of another device of the namespace by its number.
    func madeInformation(_ name: (Int32) -> String?) -> [Attribute] {
        let link = description.link
        let texts: [(String, String?)] = [
            ("network.interface.name", link.name),
            ("sonde.link.index", String(link.index)),
            ("sonde.link.kind", LinkKind.word(of: link)),
            ("sonde.link.type", link.kind),
            ("sonde.link.operstate", description.operationalState?.word),
            ("sonde.link.adminstate", link.isUp ? "up" : "down"),
            ("sonde.link.address", description.address),
            ("sonde.link.broadcast", description.broadcast),
            ("sonde.link.alias", description.alias),
            ("sonde.link.duplex", speed?.duplex?.rawValue),
            ("sonde.link.master", link.master.map { name($0) ?? String($0) }),
            // In another namespace the number means another device.
            ("sonde.link.lower", link.hasForeignPeer ? nil : link.lower.flatMap { $0 == 0 ? nil : name($0) }),
            ("sonde.link.peer_namespace", description.peerNamespace.map(String.init)),
            ("sonde.link.group", description.group.map(String.init)),
            ("sonde.link.hardware_type", String(description.hardwareType)),
            ("sonde.link.flags", "0x" + String(description.flags, radix: 16)),
        ]
        return texts.compactMap { key, value in value.flatMap { $0.isEmpty ? nil : Attribute(key, $0) } }
    }
}
