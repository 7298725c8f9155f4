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
    /// What libpcap calls.
    let callback: pcap_handler

    /// Packets of one interface.
    init(_ pipeline: PacketPipeline, slot: UInt16, linkType: UInt32) {
        self.pipeline = pipeline
        self.slot = slot
        self.linkType = linkType
        uplinks = nil
        callback = pipeline.tape == nil ? Self.process : Self.record
    }

    /// Cooked packets of all interfaces, of which only those in `uplinks` count.
    init(_ pipeline: PacketPipeline, uplinks: UplinkSlots, linkType: UInt32) {
        self.pipeline = pipeline
        self.uplinks = uplinks
        self.linkType = linkType
        slot = 0
        callback = pipeline.tape == nil ? Self.process : Self.record
    }

    private static let process: pcap_handler = { user, header, bytes in
        guard let user, let header, let bytes else { return }
        Unmanaged<PacketReceiver>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.receive(header, bytes) }
    }

    private static let record: pcap_handler = { user, header, bytes in
        guard let user, let header, let bytes else { return }
        Unmanaged<PacketReceiver>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.record(header, bytes) }
    }

    private func record(_ header: UnsafePointer<pcap_pkthdr>, _ bytes: UnsafePointer<UInt8>) {
        let captured = UnsafeRawBufferPointer(start: bytes, count: Int(header.pointee.caplen))
        guard let packet = packet(header, captured) else { return }
        pipeline.tape?.record(packet, captured, pipeline)
        if let direction, direction.isReceived(captured) { pipeline.countReceived(packet) }
    }

    @inline(__always)
    private func packet(
        _ header: UnsafePointer<pcap_pkthdr>, _ captured: UnsafeRawBufferPointer
    ) -> CapturedPacket? {
        var interface = slot
        if let uplinks {
            // sockaddr_ll's interface index at offset 4 (LINKTYPE_LINUX_SLL2).
            guard
                captured.count >= 8,
                let slot = uplinks.slot(of: captured.loadUnaligned(fromByteOffset: 4, as: UInt32.self).bigEndian)
            else { return nil }
            interface = slot
        }
        // The fraction is in nanoseconds: the handle requested them.
        let time = Int64(header.pointee.ts.tv_sec) &* 1_000_000_000 &+ Int64(header.pointee.ts.tv_usec)
        return CapturedPacket(
            bytes: WireBytes(captured),
            wireLength: header.pointee.len,
            linkType: linkType,
            interface: interface,
            time: time
        )
    }

    private func receive(_ header: UnsafePointer<pcap_pkthdr>, _ bytes: UnsafePointer<UInt8>) {
        let captured = UnsafeRawBufferPointer(start: bytes, count: Int(header.pointee.caplen))
        guard let packet = packet(header, captured) else { return }
        pipeline.process(packet)
        if let direction, direction.isReceived(captured) { pipeline.countReceived(packet) }
    }
}
