/// Builds a pcapng file, valid or damaged as a test needs it.
public struct BlockCaptureBuilder: Sendable {
    /// The file so far.
    public private(set) var bytes: [UInt8] = []
    private var order = EndianWriter.Order.little

    /// A file whose first section has this byte order.
    public init(_ order: EndianWriter.Order = .little) {
        addSection(order)
    }

    /// Adds a Section Header Block.
    public mutating func addSection(_ order: EndianWriter.Order, version: (UInt16, UInt16) = (1, 0)) {
        self.order = order
        var body = EndianWriter(order)
        body.append(UInt32(0x1a2b_3c4d))
        body.append(version.0)
        body.append(version.1)
        body.append(UInt64.max)
        addBlock(0x0a0d_0d0a, body.bytes)
    }

    /// Adds an Interface Description Block.
    public mutating func addInterface(
        linkType: UInt16 = 1,
        snapshotLength: UInt32 = 0,
        resolution: UInt8? = nil,
        offset: Int64? = nil,
        name: String? = "wan"
    ) {
        var body = EndianWriter(order)
        body.append(linkType)
        body.append(UInt16(0))
        body.append(snapshotLength)
        // if_name: an option of another kind, and of an odd length by default.
        if let name { append(option: 2, Array(name.utf8), to: &body) }
        if let resolution { append(option: 9, [resolution], to: &body) }
        if let offset {
            var value = EndianWriter(order)
            value.append(offset)
            append(option: 14, value.bytes, to: &body)
        }
        append(option: 0, [], to: &body)
        addBlock(1, body.bytes)
    }

    /// Adds an Enhanced Packet Block.
    public mutating func addPacket(
        _ packet: [UInt8],
        interface: UInt32 = 0,
        ticks: UInt64 = 0,
        wireLength: UInt32? = nil,
        capturedLength: UInt32? = nil
    ) {
        var body = EndianWriter(order)
        body.append(interface)
        append(packet, ticks, wireLength, capturedLength, to: &body)
        addBlock(6, body.bytes)
    }

    /// Adds a Packet Block, which is obsolete.
    public mutating func addObsoletePacket(
        _ packet: [UInt8], interface: UInt16 = 0, ticks: UInt64 = 0, wireLength: UInt32? = nil
    ) {
        var body = EndianWriter(order)
        body.append(interface)
        body.append(UInt16(3))
        append(packet, ticks, wireLength, nil, to: &body)
        addBlock(2, body.bytes)
    }

    /// Adds a Simple Packet Block.
    public mutating func addSimplePacket(_ packet: [UInt8], wireLength: UInt32? = nil) {
        var body = EndianWriter(order)
        body.append(wireLength ?? UInt32(packet.count))
        body.append(packet)
        addBlock(3, body.bytes)
    }

    /// Adds a block of any type; its lengths are right unless `length` is given.
    public mutating func addBlock(_ type: UInt32, _ body: [UInt8], length: UInt32? = nil, trailer: UInt32? = nil) {
        var writer = EndianWriter(order)
        let padded = (body.count + 3) & ~3
        writer.append(type)
        writer.append(length ?? UInt32(padded + 12))
        writer.append(body)
        writer.pad()
        writer.append(trailer ?? length ?? UInt32(padded + 12))
        bytes += writer.bytes
    }

    private func append(
        _ packet: [UInt8],
        _ ticks: UInt64,
        _ wireLength: UInt32?,
        _ capturedLength: UInt32?,
        to body: inout EndianWriter
    ) {
        body.append(UInt32(truncatingIfNeeded: ticks >> 32))
        body.append(UInt32(truncatingIfNeeded: ticks))
        body.append(capturedLength ?? UInt32(packet.count))
        body.append(wireLength ?? UInt32(packet.count))
        body.append(packet)
        body.pad()
    }

    private func append(option code: UInt16, _ value: [UInt8], to body: inout EndianWriter) {
        body.append(code)
        body.append(UInt16(value.count))
        body.append(value)
        body.pad()
    }
}
