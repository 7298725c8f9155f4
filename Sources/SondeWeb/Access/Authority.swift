internal import Glibc

/// The host and the port of a `Host:` field or of an address to listen at.
struct Authority: Hashable, Sendable {
    /// In small letters; an address of version 6 without brackets.
    let host: String
    /// Nil: it is not named.
    let port: Int?

    /// `name`, `127.0.0.1:8787`, `[::1]:8787`; nil for anything else.
    init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard (1...300).contains(bytes.count) else { return nil }
        let end: Int
        if bytes[0] == UInt8(ascii: "[") {
            guard let close = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = String(decoding: bytes[1..<close], as: UTF8.self).lowercased()
            guard Self.isAddress(host), host.utf8.contains(UInt8(ascii: ":")) else { return nil }
            end = close + 1
        } else {
            end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
            host = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
            guard !host.isEmpty, host.utf8.allSatisfy(Self.isOfName) else { return nil }
        }
        guard end < bytes.count else {
            port = nil
            return
        }
        guard bytes[end] == UInt8(ascii: ":"), let number = UInt16(String(decoding: bytes[(end + 1)...], as: UTF8.self))
        else { return nil }
        port = Int(number)
    }

    /// Whether a host is an address of version 4 or 6.
    static func isAddress(_ host: String) -> Bool {
        var buffer = in6_addr()
        return inet_pton(AF_INET, host, &buffer) == 1 || inet_pton(AF_INET6, host, &buffer) == 1
    }

    /// Whether a host is reached by this machine alone.
    static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || (isAddress(host) && host.hasPrefix("127."))
    }

    /// Whether an address stands for all of the machine.
    static func isEverywhere(_ host: String) -> Bool {
        host == "0.0.0.0" || host == "::"
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
