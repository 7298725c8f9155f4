internal import SondeWire

/// Replaces addresses and names in a packet, and cuts off what is not understood: only headers stay, and DNS over UDP.
struct PacketPrivacy {
    private let pseudonyms: Pseudonyms
    private let ports: Set<Int>

    init(_ pseudonyms: Pseudonyms, ports: [UInt16]) {
        self.pseudonyms = pseudonyms
        self.ports = Set(ports.map(Int.init) + [5353, 5355])
    }

    /// The packet as it is recorded; shorter than it was captured, its length on the wire is kept apart.
    func replacing(_ packet: UnsafeRawBufferPointer, linkType: UInt32) -> [UInt8] {
        var bytes = Array(packet)
        var end = 0
        if let network = Self.link(linkType, &bytes) { end = replaceNetwork(&bytes, network.start, network.type) }
        return Array(bytes[..<min(max(0, end), bytes.count)])
    }

    private enum Network {
        case ipv4, ipv6, other
    }

    /// Where what the link carries begins; hardware addresses are erased.
    private static func link(_ type: UInt32, _ bytes: inout [UInt8]) -> (start: Int, type: Network)? {
        switch LinkType(rawValue: type) {
        case .ethernet:
            erase(0..<12, in: &bytes)
            var place = 12
            while let number = number(bytes, place), [0x8100, 0x88a8].contains(number), place < 28 { place += 4 }
            return (place + 2, network(number(bytes, place)))
        case .linuxCooked:
            erase(6..<14, in: &bytes)
            return (16, network(number(bytes, 14)))
        case .linuxCooked2:
            erase(12..<20, in: &bytes)
            return (20, network(number(bytes, 0)))
        case .raw, .ipv4, .ipv6:
            return bytes.first.map { (0, $0 >> 4 == 4 ? .ipv4 : $0 >> 4 == 6 ? .ipv6 : .other) }
        default: return nil
        }
    }

    private static func network(_ type: Int?) -> Network { type == 0x0800 ? .ipv4 : type == 0x86dd ? .ipv6 : .other }

    /// Returns where what is kept ends.
    private func replaceNetwork(_ bytes: inout [UInt8], _ start: Int, _ type: Network) -> Int {
        switch type {
        case .other: return start
        case .ipv4:
            guard bytes.count >= start + 20 else { return start }
            replaceAddress(&bytes, start + 12, 4)
            replaceAddress(&bytes, start + 16, 4)
            let transport = start + Int(bytes[start] & 15) * 4
            guard transport >= start + 20 else { return start + 20 }
            Self.erase((start + 20)..<transport, in: &bytes)
            // A later fragment has no header of its own.
            let isFirst = Self.number(bytes, start + 6).map { $0 & 0x1fff == 0 } ?? false
            return isFirst ? replaceTransport(&bytes, transport, bytes[start + 9]) : transport
        case .ipv6:
            guard bytes.count >= start + 40 else { return start }
            replaceAddress(&bytes, start + 8, 16)
            replaceAddress(&bytes, start + 24, 16)
            return replaceExtensions(&bytes, start + 40, bytes[start + 6])
        }
    }

    private func replaceExtensions(_ bytes: inout [UInt8], _ start: Int, _ first: UInt8) -> Int {
        var (place, next) = (start, first)
        for _ in 0..<8 {
            // Hop-by-hop, routing, fragment, destination options (RFC 8200).
            guard [0, 43, 44, 60].contains(next), bytes.count >= place + 8 else { break }
            let isLater = next == 44 && (Self.number(bytes, place + 2) ?? 0) & 0xfff8 != 0
            let length = next == 44 ? 8 : (Int(bytes[place + 1]) + 1) * 8
            if next != 44 { Self.erase((place + 2)..<(place + length), in: &bytes) }
            next = bytes[place]
            place += length
            if isLater { return place }
        }
        return replaceTransport(&bytes, place, next)
    }

    private func replaceTransport(_ bytes: inout [UInt8], _ start: Int, _ type: UInt8) -> Int {
        switch type {
        case 6: return start + (bytes.count > start + 12 ? Int(bytes[start + 12] >> 4) * 4 : 20)
        case 17:
            let isDNS = [0, 2].contains { place in Self.number(bytes, start + place).map(ports.contains) ?? false }
            return isDNS ? replaceDNS(&bytes, start + 8) : start + 8
        case 132: return start + 12
        case 1, 58: return start + 8
        default: return start
        }
    }

    private func replaceAddress(_ bytes: inout [UInt8], _ start: Int, _ count: Int) {
        guard let address = bytes[start..<(start + count)].withUnsafeBytes({ IPAddress(bytes: $0) }) else { return }
        let other = pseudonyms.address(address)
        let parts = count == 4 ? [] : [other.high]
        let all = (parts + [other.low]).flatMap { word in withUnsafeBytes(of: word.bigEndian) { [UInt8]($0) } }
        bytes.replaceSubrange(start..<(start + count), with: all.suffix(count))
    }

    /// Replaces the labels of names and erases what records say; returns where what was understood ends.
    private func replaceDNS(_ bytes: inout [UInt8], _ start: Int) -> Int {
        guard let questions = Self.number(bytes, start + 4) else { return start }
        var place = start + 12
        for _ in 0..<questions {
            guard let end = replaceName(&bytes, place), end + 4 <= bytes.count else { return place }
            place = end + 4
        }
        let records = [6, 8, 10].reduce(0) { $0 + (Self.number(bytes, start + $1) ?? 0) }
        for _ in 0..<records {
            guard let end = replaceName(&bytes, place), let length = Self.number(bytes, end + 8) else { return place }
            Self.erase((end + 10)..<(end + 10 + length), in: &bytes)
            place = end + 10 + length
            guard place <= bytes.count else { return bytes.count }
        }
        return place
    }

    /// Returns where the name ends; nil: it is cut.
    private func replaceName(_ bytes: inout [UInt8], _ start: Int) -> Int? {
        var place = start
        while place < bytes.count {
            let length = Int(bytes[place])
            if length == 0 { return place + 1 }
            // A pointer, RFC 1035 section 4.1.4: what it leads to was replaced where it stands, or erased.
            guard length < 64 else { return length >= 192 && place + 2 <= bytes.count ? place + 2 : nil }
            guard place + 1 + length <= bytes.count else { return nil }
            let label = (place + 1)..<(place + 1 + length)
            bytes.replaceSubrange(label, with: pseudonyms.label(bytes[label]))
            place = label.upperBound
        }
        return nil
    }

    private static func erase(_ range: Range<Int>, in bytes: inout [UInt8]) {
        for index in range.clamped(to: 0..<bytes.count) { bytes[index] = 0 }
    }

    private static func number(_ bytes: [UInt8], _ place: Int) -> Int? {
        place >= 0 && place + 2 <= bytes.count ? Int(bytes[place]) << 8 | Int(bytes[place + 1]) : nil
    }
}
