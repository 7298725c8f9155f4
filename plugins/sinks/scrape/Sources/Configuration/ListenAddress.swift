internal import Glibc
internal import SondeDomain
internal import SondePluginKit

/// Where the sink listens: an IP address with a port, or a path.
struct ListenAddress: Hashable, Sendable {
    enum Place: Hashable, Sendable {
        case ipv4([UInt8])
        case ipv6([UInt8])
        case unix(path: String)
    }

    static let usual = "127.0.0.1:9469"

    /// As it is written.
    let text: String
    let place: Place
    let port: UInt16

    /// Whether only this host can reach it.
    var isLocal: Bool {
        switch place {
        case .ipv4(let bytes): bytes.first == 127
        case .ipv6(let bytes): bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
        case .unix: true
        }
    }

    /// Reads `127.0.0.1:9469`, `[::1]:9469`, `:9469` or `unix:/path`.
    init(_ text: String) throws(PluginError) {
        self.text = text
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            // sun_path, with its NUL.
            guard path.utf8.first == 0x2f, path.utf8.count < 108, !path.utf8.contains(0) else {
                throw Self.refused(text, "is no path of a Unix socket", "Write at most 107 bytes, from the slash on.")
            }
            (place, port) = (.unix(path: path), 0)
            return
        }
        guard let colon = text.utf8.lastIndex(of: 0x3a), let port = Self.port(text[text.utf8.index(after: colon)...])
        else { throw Self.refused(text, "has no port", "Write it like 127.0.0.1:9469.") }
        self.port = port
        let host = text[..<colon]
        if host.isEmpty {
            place = .ipv6([UInt8](repeating: 0, count: 16))
        } else if let bytes = Self.bytes(String(host), AF_INET, count: 4) {
            place = .ipv4(bytes)
        } else if host.hasPrefix("["), host.hasSuffix("]"),
            let bytes = Self.bytes(String(host.dropFirst().dropLast()), AF_INET6, count: 16)
        {
            place = .ipv6(bytes)
        } else {
            throw Self.refused(text, "is no IP address with a port", "Write it like 127.0.0.1:9469 or [::1]:9469.")
        }
    }

    private static func port(_ text: Substring) -> UInt16? {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return UInt16(text)
    }

    private static func bytes(_ text: String, _ family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }

    private static func refused(_ text: String, _ fault: String, _ hint: String) -> PluginError {
        .refused(ScrapeCode.address, "listen '\(text)' \(fault)", hint: hint, option: "listen")
    }
}
