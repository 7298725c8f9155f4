internal import SondeWire

/// Reads the packets of a capture file: pcap of any byte order and resolution, pcapng, either of them in gzip.
///
/// One bounded buffer, nothing allocated for a packet. Nothing in a file is trusted.
struct CaptureReader: ~Copyable {
    /// A packet longer than this is a damaged file (MAXIMUM_SNAPLEN of libpcap).
    static let packetLimit = 262_144

    var window: ByteWindow
    /// How records are read; nil: the file is pcapng.
    let classic: ClassicHeader?
    /// The section of a pcapng file that is being read.
    var section: BlockSection
    /// How many interfaces the file has described, over all sections.
    var interfaceCount = 0
    /// The link types of all interfaces that the file has described, each once, in order.
    private(set) var linkTypes: [UInt32] = []

    /// Reads the beginning of the file.
    ///
    /// Throws ``CaptureFileError/notCapture`` when it is no capture.
    static func open(_ input: CaptureInput) throws(CaptureFileError) -> CaptureReader {
        var window = ByteWindow(input)
        let classic = try header(&window)
        var reader = CaptureReader(window, classic)
        if classic == nil { _ = try reader.readBlock(section: .first) }
        return reader
    }

    private init(_ window: consuming ByteWindow, _ classic: ClassicHeader?) {
        self.window = window
        self.classic = classic
        section = BlockSection(order: ByteOrder(isSwapped: false))
        if let classic { linkTypes = [classic.linkType] }
    }

    /// Reads the next packet into `packet`; false at the end of the file.
    ///
    /// The bytes are valid until the next call. After an error nothing more can be read.
    @inline(__always)
    mutating func next(_ packet: inout CapturedPacket) throws(CaptureFileError) -> Bool {
        if let classic { return try nextRecord(classic, classic.order, &packet) }
        return try nextBlock(&packet)
    }

    /// Stores the link type of an interface; a file never has so many that it matters.
    mutating func note(_ linkType: UInt32) {
        guard linkTypes.count < 64, !linkTypes.contains(linkType) else { return }
        linkTypes.append(linkType)
    }

    /// The header of a classic file; nil when the file begins as pcapng does.
    private static func header(_ window: inout ByteWindow) throws(CaptureFileError) -> ClassicHeader? {
        guard try window.require(4) else { throw .notCapture }
        if BlockSection.isMagic(window.start) { return nil }
        guard ClassicHeader.isMagic(window.start) else { throw .notCapture }
        guard try window.require(ClassicHeader.size) else { throw .truncated(at: window.endOffset) }
        let header = try ClassicHeader(window.start)
        window.advance(ClassicHeader.size)
        return header
    }
}
