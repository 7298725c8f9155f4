extension CaptureFileBuilder {
    /// The classic format: tcpdump.org, pcap-savefile(5).
    var classicBytes: [UInt8] {
        let interface = interfaces.first ?? CaptureInterface()
        let isNano = interface.resolution == 9
        var file = ClassicCaptureBuilder(
            isNano ? .nanoseconds : .microseconds, order, snapshotLength: interface.snapLength,
            linkType: UInt32(interface.linkType)
        )
        for frame in frames {
            file.add(
                captured(frame),
                seconds: UInt32(truncatingIfNeeded: frame.time / 1_000_000_000),
                fraction: UInt32(frame.time % 1_000_000_000 / (isNano ? 1 : 1000)),
                wireLength: wireLength(of: frame)
            )
        }
        return file.bytes
    }

    /// One section of the pcapng format: draft-ietf-opsawg-pcapng.
    var blockBytes: [UInt8] {
        var file = BlockCaptureBuilder(order)
        for interface in interfaces {
            file.addInterface(
                linkType: interface.linkType,
                snapshotLength: interface.snapLength,
                resolution: interface.resolution == 6 ? nil : interface.resolution,
                offset: interface.timeOffset == 0 ? nil : interface.timeOffset,
                name: interface.name
            )
        }
        for frame in frames { add(frame, to: &file) }
        return file.bytes
    }

    private func add(_ frame: CapturedFrame, to file: inout BlockCaptureBuilder) {
        let (stored, length) = (captured(frame), wireLength(of: frame))
        let ticks = interface(of: frame).ticks(frame.time)
        switch frame.block {
        case .enhanced: file.addPacket(stored, interface: UInt32(frame.interface), ticks: ticks, wireLength: length)
        case .simple: file.addSimplePacket(stored, wireLength: length)
        case .obsolete:
            file.addObsoletePacket(stored, interface: UInt16(frame.interface), ticks: ticks, wireLength: length)
        }
    }

    private func wireLength(of frame: CapturedFrame) -> UInt32 {
        frame.wireLength ?? UInt32(frame.bytes.count)
    }
}
