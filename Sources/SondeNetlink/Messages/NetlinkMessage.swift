/// One message of an answer, in the kernel's own byte order (`struct nlmsghdr`, linux/netlink.h).
///
/// The bytes are the receiver's buffer: valid until the next datagram.
public struct NetlinkMessage {
    static let headerSize = 16
    // linux/netlink.h: NLMSG_ERROR, NLMSG_DONE, NLM_F_DUMP_INTR
    static let errorType: UInt16 = 2
    static let doneType: UInt16 = 3
    static let interruptedFlag: UInt16 = 0x10

    /// What it is: RTM_NEWLINK for instance.
    public let type: UInt16
    /// NLM_F_….
    public let flags: UInt16
    /// The number of the request that it answers.
    public let sequence: UInt32
    /// What follows the header.
    public let content: UnsafeRawBufferPointer

    /// The attributes after the fixed part of the content, which is `size` bytes long.
    public func attributes(after size: Int) -> NetlinkAttributes { NetlinkAttributes(content, from: size) }

    /// The number at a place of the fixed part; nil when the message is shorter.
    public func number<Number: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int,
        _ type: Number.Type
    ) -> Number? {
        guard offset >= 0, content.count &- offset >= MemoryLayout<Number>.size else { return nil }
        return content.loadUnaligned(fromByteOffset: offset, as: type)
    }

    /// Whether things came or went while a dump was made, so that it may lack some.
    var isInterrupted: Bool { flags & Self.interruptedFlag != 0 }

    /// The `errno` in an error message or at the end of a dump; 0: none.
    var errorNumber: Int32 {
        let number = self.number(at: 0, Int32.self) ?? 0
        return number < 0 && number > -4_096 ? -number : 0
    }

    /// Calls `body` with each message of a datagram until it returns false.
    ///
    /// Lengths are checked, although the kernel wrote them.
    static func walk(_ bytes: UnsafeRawBufferPointer, _ body: (NetlinkMessage) -> Bool) {
        var offset = 0
        while bytes.count &- offset >= headerSize {
            let length = Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            guard length >= headerSize, length <= bytes.count &- offset else { return }
            let message = NetlinkMessage(
                type: bytes.loadUnaligned(fromByteOffset: offset &+ 4, as: UInt16.self),
                flags: bytes.loadUnaligned(fromByteOffset: offset &+ 6, as: UInt16.self),
                sequence: bytes.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt32.self),
                content: UnsafeRawBufferPointer(rebasing: bytes[(offset &+ headerSize)..<(offset &+ length)])
            )
            guard body(message) else { return }
            offset &+= (length &+ 3) & ~3
        }
    }
}
