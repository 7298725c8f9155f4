/// Builds a classic capture file, valid or damaged as a test needs it.
public struct ClassicCaptureBuilder: Sendable {
    /// The formats that share the layout.
    public enum Format: UInt32, Sendable, CaseIterable {
        /// Fractions of a second in microseconds.
        case microseconds = 0xa1b2_c3d4
        /// In nanoseconds.
        case nanoseconds = 0xa1b2_3c4d
        /// With Alexey Kuznetzov's longer record headers; microseconds.
        case modified = 0xa1b2_cd34
    }

    private var writer: EndianWriter
    private let format: Format

    /// A file header.
    public init(
        _ format: Format = .microseconds,
        _ order: EndianWriter.Order = .little,
        version: (major: UInt16, minor: UInt16) = (2, 4),
        snapshotLength: UInt32 = 262_144,
        linkType: UInt32 = 1
    ) {
        self.format = format
        writer = EndianWriter(order)
        writer.append(format.rawValue)
        writer.append(version.major)
        writer.append(version.minor)
        writer.append(UInt64(0))
        writer.append(snapshotLength)
        writer.append(linkType)
    }

    /// The file so far.
    public var bytes: [UInt8] { writer.bytes }

    /// Adds a record; lengths that are not given are true.
    public mutating func add(
        _ packet: [UInt8],
        seconds: UInt32 = 1_767_225_600,
        fraction: UInt32 = 0,
        wireLength: UInt32? = nil,
        capturedLength: UInt32? = nil
    ) {
        writer.append(seconds)
        writer.append(fraction)
        writer.append(capturedLength ?? UInt32(packet.count))
        writer.append(wireLength ?? UInt32(packet.count))
        if format == .modified { writer.append(UInt64(0)) }
        writer.append(packet)
    }
}
