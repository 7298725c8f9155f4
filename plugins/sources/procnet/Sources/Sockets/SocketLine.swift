internal import SondeNetlink

/// One line of `/proc/net/tcp`, `tcp6`, `udp` or `udp6` (`get_tcp4_sock`, net/ipv4/tcp_ipv4.c; `udp4_format_sock`,
/// net/ipv4/udp.c).
///
///     0: 0100007F:0035 00000000:0000 0A 00000000:00000000 00:00000000 00000000  0  0 1131 1 ffff9f1d 100 0 0 10 0
struct SocketLine: Equatable {
    let state: SocketState
    let localPort: UInt16
    let transmitQueue: UInt64
    let receiveQueue: UInt64
    /// The last column of UDP; nil where a line has none, which those of TCP never have.
    let drops: UInt64?

    /// The socket in a line; nil for another line, the one of names for instance.
    init?(_ line: UnsafeRawBufferPointer) {
        var words = ByteScanner(line)
        guard
            let number = words.word(), number.last == UInt8(ascii: ":"),
            let local = words.word().flatMap(Self.pair),
            let port = UInt16(exactly: local.1),
            words.word().flatMap(Self.pair) != nil,
            let code = words.word().flatMap({ UInt64(hexadecimal: $0) }).flatMap({ UInt8(exactly: $0) }),
            // TCP_NEW_SYN_RECV is printed as what it is on some kernels.
            let state = code == 12 ? .synReceived : SocketState(rawValue: code),
            let queues = words.word().flatMap(Self.pair)
        else { return nil }
        self.state = state
        localPort = port
        transmitQueue = queues.0
        receiveQueue = queues.1
        var column = 4
        var last: UInt64?
        while words.word() != nil {
            column += 1
            guard column == 11 else { continue }
            words.skipBlanks()
            last = words.number().flatMap { $0.form == .unsigned ? $0.magnitude : nil }
        }
        drops = last
    }

    /// `0100007F:0035`: the number before the colon as far as 64 bits go, and the one after it.
    private static func pair(_ word: UnsafeRawBufferPointer) -> (UInt64, UInt64)? {
        guard
            let colon = word.firstIndex(of: UInt8(ascii: ":")),
            let second = UInt64(hexadecimal: UnsafeRawBufferPointer(rebasing: word[(colon + 1)...]))
        else { return nil }
        let first = UnsafeRawBufferPointer(rebasing: word[..<colon])
        // An address of IPv6 has 32 digits: what counts of it is that it is one.
        guard let number = UInt64(hexadecimal: UnsafeRawBufferPointer(rebasing: first.prefix(16))) else { return nil }
        return (number, second)
    }
}
