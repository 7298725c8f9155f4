/// How much of names and clients leaves the plugin.
public enum NamePrivacy: Equatable, Sendable {
    /// As they are.
    case full
    /// As a keyed hash: the same for the same name, and no way back without the key.
    case hashed(SipKey)
    /// The last two labels of names, and the network of clients (24 bits of IPv4, 48 bits of IPv6).
    ///
    /// No list of public suffixes is used: of `www.example.co.uk` stays `co.uk`.
    case domain
    /// Not at all: neither names nor clients are counted one by one.
    case none

    /// Where in a name, uncompressed in wire form, what may be counted begins; nil when nothing may.
    public func start(in name: UnsafeRawBufferPointer) -> Int? {
        switch self {
        case .full, .hashed: 0
        case .none: nil
        case .domain: Self.lastTwoLabels(of: name)
        }
    }

    /// What may be counted of a client; nil when nothing may.
    public func client(_ address: IPAddress) -> IPAddress? {
        switch self {
        case .full, .hashed: address
        case .none: nil
        case .domain:
            address.isIPv4
                ? IPAddress(high: 0, low: address.low & ~0xff)
                : IPAddress(high: address.high & ~0xffff, low: 0)
        }
    }

    /// The text of a counted name, given in wire form.
    public func text(name: [UInt8]) -> String {
        if case .hashed(let key) = self { return Self.hexadecimal(key.hash(name)) }
        return name.withUnsafeBytes { DNSName.text(ofUncompressed: $0) } ?? "."
    }

    /// A keyed hash of any name instead of its text; nil unless names are hashed.
    public func hash(name: [UInt8]) -> String? {
        guard case .hashed(let key) = self else { return nil }
        return Self.hexadecimal(key.hash(name))
    }

    /// The text of a client as far as it may be shown; nil when it may not.
    public func text(client address: IPAddress) -> String? {
        if let hash = hash(client: address) { return hash }
        guard let shown = client(address) else { return nil }
        guard self == .domain else { return "\(shown)" }
        return shown.isIPv4 ? "\(shown)/24" : "\(shown)/48"
    }

    /// A keyed hash of a client instead of its text; nil unless clients are hashed.
    public func hash(client address: IPAddress) -> String? {
        guard case .hashed(let key) = self else { return nil }
        let bytes = [address.high, address.low].flatMap { half in
            (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - $0 * 8)) }
        }
        return Self.hexadecimal(key.hash(bytes))
    }

    private static func lastTwoLabels(of name: UnsafeRawBufferPointer) -> Int {
        var position = 0
        var last = 0
        var secondToLast = 0
        while position < name.count, name[position] != 0 {
            secondToLast = last
            last = position
            position &+= Int(name[position]) &+ 1
        }
        return secondToLast
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, 16 - digits.utf8.count)) + digits
    }
}
