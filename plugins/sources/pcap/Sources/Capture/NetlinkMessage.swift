internal import CPcap
internal import SondeDomain

/// Walks over netlink messages and their attributes, in the kernel's own byte order.
///
/// Lengths are checked, although the kernel wrote them: a short read cuts a message.
enum NetlinkMessage {
    /// Calls `body` with the type and the content of each message; false stops the walk.
    static func walk(_ bytes: UnsafeRawBufferPointer, _ body: (UInt16, UInt16, UnsafeRawBufferPointer) -> Bool) {
        var offset = 0
        while bytes.count - offset >= 16 {
            let length = Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            guard length >= 16, length <= bytes.count - offset else { return }
            let type = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt16.self)
            let flags = bytes.loadUnaligned(fromByteOffset: offset + 6, as: UInt16.self)
            let content = UnsafeRawBufferPointer(rebasing: bytes[(offset + 16)..<(offset + length)])
            guard body(type, flags, content) else { return }
            offset += (length + 3) & ~3
        }
    }

    /// Calls `body` with the type and the value of each attribute from `start` on.
    static func attributes(
        _ bytes: UnsafeRawBufferPointer,
        from start: Int,
        _ body: (UInt16, UnsafeRawBufferPointer) -> Void
    ) {
        var offset = start
        while bytes.count - offset >= 4 {
            let length = Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
            // The upper two bits are flags (NLA_TYPE_MASK).
            let type = bytes.loadUnaligned(fromByteOffset: offset + 2, as: UInt16.self) & 0x3fff
            guard length >= 4, length <= bytes.count - offset else { return }
            body(type, UnsafeRawBufferPointer(rebasing: bytes[(offset + 4)..<(offset + length)]))
            offset += (length + 3) & ~3
        }
    }

    /// A number of 32 bits, or nil when the value is shorter.
    static func number(_ value: UnsafeRawBufferPointer) -> Int32? {
        value.count >= 4 ? value.loadUnaligned(as: Int32.self) : nil
    }

    /// A string up to its NUL.
    static func text(_ value: UnsafeRawBufferPointer) -> String {
        String(decoding: value.prefix { $0 != 0 }, as: UTF8.self)
    }
}

extension NetworkLink {
    // rtnetlink(7), linux/if_link.h
    private static let nameAttribute: UInt16 = 3
    private static let lowerAttribute: UInt16 = 5
    private static let masterAttribute: UInt16 = 10
    private static let informationAttribute: UInt16 = 18
    private static let namespaceAttribute: UInt16 = 37
    private static let kindAttribute: UInt16 = 1

    /// The link in the content of an RTM_NEWLINK message: `struct ifinfomsg`, then attributes.
    init?(_ content: UnsafeRawBufferPointer) {
        guard content.count >= 16 else { return nil }
        let hardware = content.loadUnaligned(fromByteOffset: 2, as: UInt16.self)
        let flags = content.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
        self.init(
            index: content.loadUnaligned(fromByteOffset: 4, as: Int32.self),
            name: "",
            isLoopback: hardware == 772,
            isUp: flags & 1 != 0
        )
        var link = self
        NetlinkMessage.attributes(content, from: 16) { type, value in
            switch type {
            case Self.nameAttribute: link.name = NetlinkMessage.text(value)
            case Self.lowerAttribute: link.lower = NetlinkMessage.number(value)
            case Self.masterAttribute: link.master = NetlinkMessage.number(value)
            case Self.namespaceAttribute: link.hasForeignPeer = true
            case Self.informationAttribute:
                NetlinkMessage.attributes(value, from: 0) { inner, word in
                    if inner == Self.kindAttribute { link.kind = NetlinkMessage.text(word) }
                }
            default: break
            }
        }
        self = link
    }
}
