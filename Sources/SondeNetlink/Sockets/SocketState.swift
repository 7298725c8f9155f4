/// A state of a socket, as the kernel numbers it (include/net/tcp_states.h).
public enum SocketState: UInt8, CaseIterable, Sendable {
    case established = 1
    case synSent
    /// Requests of connections (TCP_NEW_SYN_RECV) are reported as this one.
    case synReceived
    case finWait1
    case finWait2
    case timeWait
    /// Of UDP: not connected.
    case closed
    case closeWait
    case lastAck
    case listen
    case closing

    /// A set of states.
    public struct Mask: OptionSet, Sendable {
        /// A bit per state.
        public let rawValue: UInt32

        /// A set of states by its bits.
        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// A set of one state.
        public init(_ state: SocketState) {
            rawValue = 1 << UInt32(state.rawValue)
        }

        /// Every state.
        public static let all = Mask(rawValue: 0xffe)
        /// Only LISTEN.
        public static let listen = Mask(.listen)
        /// Only ESTABLISHED.
        public static let established = Mask(.established)
    }
}
