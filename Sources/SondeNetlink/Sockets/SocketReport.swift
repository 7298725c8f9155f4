/// What the kernel reports about one socket (`struct inet_diag_msg`, linux/inet_diag.h).
///
/// The bytes are the receiver's buffer: valid until the next datagram.
public struct SocketReport {
    // linux/inet_diag.h
    private static let size = 72
    private static let informationAttribute: UInt16 = 2
    private static let memoryAttribute: UInt16 = 7
    private static let cgroupAttribute: UInt16 = 21
    /// SK_MEMINFO_DROPS (linux/sock_diag.h) in an array of 32-bit numbers.
    private static let dropsOffset = 8 * 4

    private let message: NetlinkMessage
    /// The address family of the socket.
    public let family: SocketFamily
    /// The state of the socket.
    public let state: SocketState

    /// The socket in a message; nil when the message is too short, or of a family or state that is not known here.
    public init?(_ message: NetlinkMessage) {
        guard
            message.content.count >= Self.size,
            let family = SocketFamily(rawValue: message.content[0]),
            let state = SocketState(rawValue: message.content[1])
        else { return nil }
        self.message = message
        self.family = family
        self.state = state
    }

    /// The port that it is bound to; 0: none.
    public var localPort: UInt16 { port(at: 4) }

    /// Bytes that wait to be read; of a listener the connections that wait to be accepted.
    public var receiveQueue: UInt32 { message.number(at: 56, UInt32.self) ?? 0 }

    /// Bytes that wait to be acknowledged; of a listener how many connections may wait.
    public var sendQueue: UInt32 { message.number(at: 60, UInt32.self) ?? 0 }

    /// Whether a socket belongs to the entry.
    ///
    /// The entries of a connection before and after its socket exists (TIME-WAIT, its FIN-WAIT-2, SYN-RECEIVED) have none,
    /// and no attributes of one (`inet_twsk_diag_fill` and `inet_req_diag_fill`, net/ipv4/inet_diag.c; a full socket
    /// begins with INET_DIAG_SHUTDOWN, `inet_diag_msg_attrs_fill`).
    public var isFull: Bool {
        switch state {
        case .timeWait: false
        case .finWait2, .synReceived: message.number(at: Self.size &+ 2, UInt16.self).map { $0 & 0x3fff == 8 } ?? false
        default: true
        }
    }

    /// Packets that the socket dropped since it was made; nil when they were not asked for.
    public var drops: UInt32? {
        attribute(Self.memoryAttribute).flatMap { value in
            guard value.count >= Self.dropsOffset &+ 4 else { return nil }
            return value.loadUnaligned(fromByteOffset: Self.dropsOffset, as: UInt32.self)
        }
    }

    /// The number of the cgroup that made it; nil where the kernel does not report it (before Linux 5.9).
    public var cgroup: UInt64? {
        attribute(Self.cgroupAttribute).flatMap { $0.count >= 8 ? $0.loadUnaligned(as: UInt64.self) : nil }
    }

    /// TCP's figures of the connection; nil when they were not asked for.
    public var information: TCPInformation? { attribute(Self.informationAttribute).map(TCPInformation.init) }

    private func attribute(_ type: UInt16) -> UnsafeRawBufferPointer? {
        for attribute in message.attributes(after: Self.size) where attribute.type == type { return attribute.value }
        return nil
    }

    private func port(at offset: Int) -> UInt16 {
        UInt16(bigEndian: message.number(at: offset, UInt16.self) ?? 0)
    }
}
