/// The header of a PPPoE session.
public struct PPPoELayer: PacketLayer {
    /// Version and type.
    public var versionAndType: UInt8 = 0x11
    /// Zero in the session stage.
    public var code: UInt8 = 0
    /// The session.
    public var session: UInt16 = 7
    /// The length, when it is not to be the right one.
    public var length: UInt16?

    /// A header of session data.
    public init(code: UInt8 = 0, length: UInt16? = nil) {
        self.code = code
        self.length = length
    }

    /// How the layer outside announces this one.
    public var number: LayerNumber { LayerNumber(etherType: 0x8864) }

    /// The layer with `payload` inside, which `next` announces.
    public func bytes(around payload: [UInt8], next: LayerNumber, pseudoHeader: PseudoHeader?) -> [UInt8] {
        [versionAndType, code] + [UInt8](bigEndian: session)
            + [UInt8](bigEndian: length ?? UInt16(truncatingIfNeeded: payload.count)) + payload
    }
}

/// A PPP header.
public struct PPPLayer: PacketLayer {
    /// How it is written.
    public enum Form: Sendable {
        /// Only the protocol, in two bytes.
        case plain
        /// Only the protocol, in one byte (RFC 1661 section 6.5).
        case compressed
        /// With address and control.
        case framed
        /// As Cisco HDLC does.
        case cisco
    }

    /// How it is written.
    public var form: Form

    /// A header in the given form.
    public init(_ form: Form = .plain) {
        self.form = form
    }

    /// How the layer outside announces this one.
    public var number: LayerNumber { LayerNumber() }

    /// The layer with `payload` inside, which `next` announces.
    public func bytes(around payload: [UInt8], next: LayerNumber, pseudoHeader: PseudoHeader?) -> [UInt8] {
        switch form {
        case .plain: [UInt8](bigEndian: next.pppProtocol) + payload
        case .compressed: [UInt8(truncatingIfNeeded: next.pppProtocol)] + payload
        case .framed: [0xff, 0x03] + [UInt8](bigEndian: next.pppProtocol) + payload
        case .cisco: [0x0f, 0x00] + [UInt8](bigEndian: next.etherType) + payload
        }
    }
}
