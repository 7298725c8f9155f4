internal import SondeWire

extension IPAddress {
    /// The host's own address in the content of an RTM_NEWADDR message: `struct ifaddrmsg`, then attributes.
    init?(netlinkAddress content: UnsafeRawBufferPointer) {
        guard content.count >= 8 else { return nil }
        var found: (local: IPAddress?, address: IPAddress?)
        NetlinkMessage.attributes(content, from: 8) { type, value in
            // rtnetlink(7): IFA_ADDRESS is the other end's on a point-to-point link, IFA_LOCAL the host's.
            switch type {
            case 1: found.address = IPAddress(bytes: value)
            case 2: found.local = IPAddress(bytes: value)
            default: break
            }
        }
        guard let address = found.local ?? found.address else { return nil }
        self = address
    }

    /// The address of 4 or 16 bytes in network order.
    init?(bytes: UnsafeRawBufferPointer) {
        switch bytes.count {
        case 4:
            self.init(ipv4: bytes.loadUnaligned(as: UInt32.self).bigEndian)
        case 16:
            self.init(
                high: bytes.loadUnaligned(as: UInt64.self).bigEndian,
                low: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian
            )
        default: return nil
        }
    }
}
