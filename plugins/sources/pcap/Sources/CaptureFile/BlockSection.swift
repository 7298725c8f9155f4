/// A section of a pcapng file: its byte order and its interfaces so far.
struct BlockSection {
    /// More interfaces than this are a damaged file.
    static let interfaceLimit = 8_192

    let order: ByteOrder
    private(set) var interfaces: [BlockInterface] = []

    init(order: ByteOrder) {
        self.order = order
    }

    /// Whether a file begins with a Section Header Block; its number reads the same in both byte orders.
    static func isMagic(_ base: UnsafeRawPointer) -> Bool {
        base.loadUnaligned(as: UInt32.self) == BlockType.section
    }

    /// False when there are too many already.
    mutating func add(_ interface: BlockInterface) -> Bool {
        guard interfaces.count < Self.interfaceLimit else { return false }
        interfaces.append(interface)
        return true
    }

    /// The interface that a packet names, or nil when the section has not described it.
    @inline(__always)
    func interface(_ number: UInt32) -> BlockInterface? {
        Int(number) < interfaces.count ? interfaces[Int(number)] : nil
    }
}

/// The numbers of the blocks that are read (draft-ietf-opsawg-pcapng); all others are skipped.
enum BlockType {
    static let section: UInt32 = 0x0a0d_0d0a
    static let interface: UInt32 = 1
    static let obsoletePacket: UInt32 = 2
    static let simplePacket: UInt32 = 3
    static let enhancedPacket: UInt32 = 6
}
