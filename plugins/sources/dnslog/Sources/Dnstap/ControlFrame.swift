internal import SondeWire

/// A control frame of Frame Streams (farsightsec.github.io/fstrm, "Control frames").
///
/// After an escape of four zero bytes and the frame's length follow its type and fields; every number is 32 bits in
/// network order.
struct ControlFrame {
    enum Kind: UInt32 {
        case accept = 1
        case start = 2
        case stop = 3
        case ready = 4
        case finish = 5
    }

    /// Content types that are named, and whether dnstap is among them.
    enum Content {
        case notNamed
        case dnstap
        case other
    }

    let kind: Kind
    let content: Content

    /// The most bytes of a control frame after its length.
    static let longest = 512
    private static let contentType: StaticString = "protobuf:dnstap.Dnstap"
    /// The field CONTENT_TYPE.
    private static let contentField: UInt32 = 1
    private static let longestContentType: UInt32 = 256

    /// Nil when the bytes, which follow escape and length, are no control frame.
    init?(_ bytes: WireBytes) {
        guard let kind = bytes.uint32(at: 0).flatMap(Kind.init(rawValue:)) else { return nil }
        var position = 4
        var content = Content.notNamed
        while position < bytes.count {
            guard let field = bytes.uint32(at: position), let length = bytes.uint32(at: position &+ 4),
                field == Self.contentField, length <= Self.longestContentType,
                bytes.has(Int(length), at: position &+ 8)
            else { return nil }
            let isOurs = Self.isOurs(bytes.dropping(position &+ 8).prefix(Int(length)))
            content = isOurs || content == .dnstap ? .dnstap : .other
            position &+= 8 &+ Int(length)
        }
        self.kind = kind
        self.content = content
    }

    /// A frame to send, escape and length included.
    static func bytes(_ kind: Kind, content: Content = .notNamed) -> [UInt8] {
        var body = number(kind.rawValue)
        if content == .dnstap {
            let name = contentType.withUTF8Buffer { Array($0) }
            body += number(contentField) + number(UInt32(name.count)) + name
        }
        return number(0) + number(UInt32(body.count)) + body
    }

    private static func isOurs(_ name: WireBytes) -> Bool {
        contentType.withUTF8Buffer { name.buffer.elementsEqual($0) }
    }

    private static func number(_ value: UInt32) -> [UInt8] {
        [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
    }
}
