/// Writes sound capture files of any kind in memory, out of frames with times.
///
/// What is written is ``ClassicCaptureBuilder``'s or ``BlockCaptureBuilder``'s, which can also write what is wrong.
/// Sections of a pcapng file are separate files, concatenated: add their bytes.
public struct CaptureFileBuilder: Sendable {
    /// The kind of file.
    public enum Format: Sendable {
        /// The classic format; it takes link type, snap length and resolution from the first interface.
        case pcap
        /// Blocks.
        case pcapng
    }

    /// The kind of file.
    public var format: Format
    /// The order of the bytes of numbers.
    public var order: EndianWriter.Order
    /// The interfaces; the classic format has one.
    public var interfaces: [CaptureInterface]
    /// The frames in the order of the file.
    public var frames: [CapturedFrame] = []

    /// A file without frames.
    public init(
        _ format: Format = .pcap, order: EndianWriter.Order = .little,
        interfaces: [CaptureInterface] = [CaptureInterface()]
    ) {
        self.format = format
        self.order = order
        self.interfaces = interfaces
    }

    /// Adds a frame one millisecond after the one before.
    public mutating func add(_ bytes: [UInt8], interface: Int = 0) {
        frames.append(CapturedFrame(bytes, time: (frames.last?.time ?? 1_700_000_000_000_000_000) + 1_000_000))
        frames[frames.count - 1].interface = interface
    }

    /// The file.
    public var bytes: [UInt8] {
        switch format {
        case .pcap: classicBytes
        case .pcapng: blockBytes
        }
    }

    /// What of a frame is stored: as much as its interface's snap length allows.
    func captured(_ frame: CapturedFrame) -> [UInt8] {
        let limit = interface(of: frame).snapLength
        return limit == 0 ? frame.bytes : Array(frame.bytes.prefix(Int(limit)))
    }

    /// The interface of a frame; the first when there is no such interface.
    func interface(of frame: CapturedFrame) -> CaptureInterface {
        interfaces.indices.contains(frame.interface)
            ? interfaces[frame.interface] : interfaces.first ?? CaptureInterface()
    }
}

/// An interface of a capture file.
public struct CaptureInterface: Sendable {
    /// The link type's number.
    public var linkType: UInt16 = 1
    /// How much of a frame is stored; 0 is all of it (pcapng only).
    public var snapLength: UInt32 = 262_144
    /// The resolution of times, numbered as pcapng's option `if_tsresol` does.
    ///
    /// 6 are microseconds, 9 nanoseconds, 128 + n steps of 2⁻ⁿ seconds. The classic format has the first two.
    public var resolution: UInt8 = 6
    /// Whole seconds that pcapng's times are earlier than they are (`if_tsoffset`).
    public var timeOffset: Int64 = 0
    /// The interface's name (pcapng only).
    public var name: String?

    /// An interface; Ethernet with microseconds by default.
    public init(linkType: UInt16 = 1, snapLength: UInt32 = 262_144, resolution: UInt8 = 6) {
        self.linkType = linkType
        self.snapLength = snapLength
        self.resolution = resolution
    }

    /// A time in the interface's units.
    func ticks(_ time: UInt64) -> UInt64 {
        let seconds = time / 1_000_000_000 &- UInt64(bitPattern: timeOffset)
        let nanoseconds = time % 1_000_000_000
        let exponent = resolution & 0x7f
        let perSecond =
            resolution & 0x80 == 0
            ? (0..<exponent).reduce(UInt64(1)) { power, _ in power &* 10 } : 1 << UInt64(exponent)
        let fraction = UInt64(1_000_000_000).dividingFullWidth(nanoseconds.multipliedFullWidth(by: perSecond)).quotient
        return seconds &* perSecond &+ fraction
    }
}

/// A frame of a capture file.
public struct CapturedFrame: Sendable {
    /// How pcapng stores it.
    public enum Block: Sendable {
        case enhanced
        /// Without time and interface.
        case simple
        /// The packet block of old files.
        case obsolete
    }

    /// The whole frame.
    public var bytes: [UInt8]
    /// Nanoseconds since 1970.
    public var time: UInt64
    /// The index of its interface.
    public var interface = 0
    /// The length on the wire, when it is not to be that of `bytes`.
    public var wireLength: UInt32?
    /// How pcapng stores it.
    public var block = Block.enhanced

    /// A frame of the first interface.
    public init(_ bytes: [UInt8], time: UInt64, wireLength: UInt32? = nil) {
        self.bytes = bytes
        self.time = time
        self.wireLength = wireLength
    }
}
