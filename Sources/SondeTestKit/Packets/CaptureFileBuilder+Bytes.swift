extension CaptureFileBuilder {
    /// The classic format: tcpdump.org, pcap-savefile(5).
    var classicBytes: [UInt8] {
        let interface = interfaces.first ?? CaptureInterface()
        let isNano = interface.resolution == 9
        var file = order.bytes(isNano ? 0xa1b2_3c4d as UInt32 : 0xa1b2_c3d4)
        file += order.bytes(2 as UInt16) + order.bytes(4 as UInt16) + order.bytes(0 as UInt64)
        file += order.bytes(interface.snapLength) + order.bytes(UInt32(interface.linkType))
        for frame in frames {
            let stored = captured(frame)
            let fraction = frame.time % 1_000_000_000 / (isNano ? 1 : 1000)
            file += order.bytes(UInt32(truncatingIfNeeded: frame.time / 1_000_000_000))
            file += order.bytes(UInt32(fraction)) + order.bytes(UInt32(stored.count))
            file += order.bytes(frame.wireLength ?? UInt32(frame.bytes.count)) + stored
        }
        return file
    }

    /// One section of the pcapng format: draft-ietf-opsawg-pcapng.
    var blockBytes: [UInt8] {
        let version = order.bytes(0x1a2b_3c4d as UInt32) + order.bytes(1 as UInt16) + order.bytes(0 as UInt16)
        var file = block(0x0a0d_0d0a, version + order.bytes(UInt64.max))
        for interface in interfaces { file += interfaceBlock(interface) }
        for frame in frames { file += frameBlock(frame) }
        return file
    }

    /// A block with its length before and behind.
    public func block(_ type: UInt32, _ content: [UInt8]) -> [UInt8] {
        let padded = Self.padded(content)
        let length = order.bytes(UInt32(padded.count + 12))
        return order.bytes(type) + length + padded + length
    }

    private func interfaceBlock(_ interface: CaptureInterface) -> [UInt8] {
        var options: [UInt8] = []
        if let name = interface.name { options += option(2, Array(name.utf8)) }
        if interface.resolution != 6 { options += option(9, [interface.resolution]) }
        if interface.timeOffset != 0 { options += option(14, order.bytes(interface.timeOffset)) }
        if !options.isEmpty { options += option(0, []) }
        return block(
            1,
            order.bytes(interface.linkType) + order.bytes(0 as UInt16) + order.bytes(interface.snapLength) + options
        )
    }

    private func frameBlock(_ frame: CapturedFrame) -> [UInt8] {
        let stored = captured(frame)
        let wireLength = order.bytes(frame.wireLength ?? UInt32(frame.bytes.count))
        let ticks = interface(of: frame).ticks(frame.time)
        let time = order.bytes(UInt32(ticks >> 32)) + order.bytes(UInt32(truncatingIfNeeded: ticks))
        let lengths = order.bytes(UInt32(stored.count)) + wireLength
        switch frame.block {
        case .enhanced: return block(6, order.bytes(UInt32(frame.interface)) + time + lengths + stored)
        case .simple: return block(3, wireLength + stored)
        case .obsolete:
            let interface = order.bytes(UInt16(frame.interface)) + order.bytes(0 as UInt16)
            return block(2, interface + time + lengths + stored)
        }
    }

    private func option(_ code: UInt16, _ value: [UInt8]) -> [UInt8] {
        order.bytes(code) + order.bytes(UInt16(value.count)) + Self.padded(value)
    }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }
}
