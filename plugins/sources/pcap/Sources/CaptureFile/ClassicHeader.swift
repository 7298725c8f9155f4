/// The header of a classic capture file: how its records are to be read.
///
/// draft-ietf-opsawg-pcap; libpcap's sf-pcap.c for the modified format and for files of old programs.
struct ClassicHeader {
    /// Which of the two lengths of a record comes first.
    enum LengthOrder {
        /// The captured length.
        case captured
        /// The length on the wire: files before version 2.3.
        case wire
        /// The smaller one is the captured length: version 2.3 was written both ways.
        case unknown
    }

    static let size = 24

    let order: ByteOrder
    /// 16, or 24 in the format with Alexey Kuznetzov's patch.
    let recordHeaderSize: Int
    let nanosecondsPerFraction: Int64
    let linkType: UInt32
    let lengthOrder: LengthOrder

    /// Whether a file begins like one of these.
    static func isMagic(_ base: UnsafeRawPointer) -> Bool {
        order(of: base.loadUnaligned(as: UInt32.self)) != nil
    }

    /// Reads the 24 bytes at `base`, which ``isMagic(_:)`` has seen.
    init(_ base: UnsafeRawPointer) throws(CaptureFileError) {
        let magic = base.loadUnaligned(as: UInt32.self)
        guard let order = Self.order(of: magic) else { throw .notCapture }
        self.order = order
        let kind = order.isSwapped ? magic.byteSwapped : magic
        recordHeaderSize = kind == Self.modified ? 24 : 16
        nanosecondsPerFraction = kind == Self.nanoseconds ? 1 : 1_000
        let (major, minor) = (order.uint16(base, 4), order.uint16(base, 6))
        guard major == 2 else { throw .unsupportedVersion("\(major).\(minor)") }
        lengthOrder = minor < 3 ? .wire : minor == 3 ? .unknown : .captured
        // The upper bits describe a frame check sequence.
        linkType = order.uint32(base, 20) & 0xffff
    }

    private static let microseconds: UInt32 = 0xa1b2_c3d4
    private static let nanoseconds: UInt32 = 0xa1b2_3c4d
    private static let modified: UInt32 = 0xa1b2_cd34

    private static func order(of magic: UInt32) -> ByteOrder? {
        let known = [microseconds, nanoseconds, modified]
        if known.contains(magic) { return ByteOrder(isSwapped: false) }
        return known.contains(magic.byteSwapped) ? ByteOrder(isSwapped: true) : nil
    }
}
