internal import CPcap
internal import SondeWire

/// What libpcap calls for each packet of one handle.
final class PacketReceiver {
    private let pipeline: PacketPipeline
    private let uplinks: UplinkSlots?
    private let slot: UInt16
    private let linkType: UInt32
    /// Distinguishes received packets from sent ones; nil: it is not needed, or impossible.
    var direction: ReceivedView.Direction?

    /// Packets of one interface.
    init(_ pipeline: PacketPipeline, slot: UInt16, linkType: UInt32) {
        self.pipeline = pipeline
        self.slot = slot
        self.linkType = linkType
        uplinks = nil
    }

    /// Cooked packets of all interfaces, of which only those in `uplinks` count.
    init(_ pipeline: PacketPipeline, uplinks: UplinkSlots, linkType: UInt32) {
        self.pipeline = pipeline
        self.uplinks = uplinks
        self.linkType = linkType
        slot = 0
    }

    static let callback: pcap_handler = { user, header, bytes in
        guard let user, let header, let bytes else { return }
        Unmanaged<PacketReceiver>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.receive(header, bytes) }
    }

    private func receive(_ header: UnsafePointer<pcap_pkthdr>, _ bytes: UnsafePointer<UInt8>) {
        let captured = UnsafeRawBufferPointer(start: bytes, count: Int(header.pointee.caplen))
        var interface = slot
        if let uplinks {
            // sockaddr_ll's interface index at offset 4 (LINKTYPE_LINUX_SLL2).
            guard
                captured.count >= 8,
                let slot = uplinks.slot(of: captured.loadUnaligned(fromByteOffset: 4, as: UInt32.self).bigEndian)
            else { return }
            interface = slot
        }
        // The fraction is in nanoseconds: the handle requested them.
        let time = Int64(header.pointee.ts.tv_sec) &* 1_000_000_000 &+ Int64(header.pointee.ts.tv_usec)
        let packet = CapturedPacket(
            bytes: WireBytes(captured),
            wireLength: header.pointee.len,
            linkType: linkType,
            interface: interface,
            time: time
        )
        pipeline.process(packet)
        if let direction, direction.isReceived(captured) { pipeline.countReceived(packet) }
    }
}
