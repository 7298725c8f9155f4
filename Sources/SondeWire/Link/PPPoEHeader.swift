/// The header of PPP over Ethernet.
///
/// Source: RFC 2516, section 4.
public struct PPPoEHeader: Equatable, Sendable {
    /// How long the header is, in bytes.
    public static let length = 6

    /// Version and type, 1 each, in one byte.
    public let versionAndType: UInt8
    /// Zero in the session stage.
    public let code: UInt8
    /// The session.
    public let session: UInt16
    /// The bytes that follow the header.
    public let payloadLength: UInt16

    /// Whether it is the header of session data as the only version there is writes it.
    public var isSession: Bool { versionAndType == 0x11 && code == 0 }

    /// The header at `offset`, or nil when the bytes end inside of it.
    public init?(_ bytes: WireBytes, at offset: Int = 0) {
        guard bytes.has(Self.length, at: offset) else { return nil }
        versionAndType = bytes.unchecked8(offset)
        code = bytes.unchecked8(offset &+ 1)
        session = bytes.unchecked16(offset &+ 2)
        payloadLength = bytes.unchecked16(offset &+ 4)
    }
}
