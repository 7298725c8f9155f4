internal import SondeWire

extension LogBytes {
    /// The IPv4 or IPv6 address that is written here, in brackets or with a zone after `%` too; nil for anything else.
    @inline(__always)
    var address: IPAddress? {
        if let number = dottedAddress { return IPAddress(ipv4: number) }
        return colonAddress
    }

    /// The address after the last space, and where it begins.
    @inline(__always)
    var lastAddress: (address: IPAddress, start: Int)? {
        if let (number, start) = lastDottedAddress { return (IPAddress(ipv4: number), start) }
        return lastOtherAddress
    }

    @inline(never)
    private var lastOtherAddress: (address: IPAddress, start: Int)? {
        let start = lastSpace(before: count) &+ 1
        return from(start).address.map { ($0, start) }
    }

    /// Dotted decimal after a space, read from its right end: so it costs no search for the space.
    @inline(__always)
    private var lastDottedAddress: (number: UInt32, start: Int)? {
        var index = count &- 1
        var address: UInt32 = 0
        var part: UInt32 = 0
        var scale: UInt32 = 1
        var shift: UInt32 = 0
        while index >= 0 {
            let byte = base.load(fromByteOffset: index, as: UInt8.self)
            let digit = byte &- 0x30
            if digit < 10 {
                guard scale <= 100 else { return nil }
                part = part &+ UInt32(digit) &* scale
                scale = scale &* 10
            } else {
                guard scale > 1, part < 256 else { return nil }
                address |= part &<< shift
                guard byte == 0x2e else { return byte == 0x20 && shift == 24 ? (address, index &+ 1) : nil }
                guard shift < 24 else { return nil }
                shift &+= 8
                part = 0
                scale = 1
            }
            index &-= 1
        }
        return nil
    }

    /// Dotted decimal: exactly four numbers up to 255.
    @inline(__always)
    private var dottedAddress: UInt32? {
        guard count >= 7, count <= 15 else { return nil }
        var address: UInt32 = 0
        var part: UInt32 = 0
        var digits = 0
        var dots = 0
        for index in 0..<count {
            let byte = base.load(fromByteOffset: index, as: UInt8.self)
            let digit = byte &- 0x30
            if digit < 10 {
                part = part &* 10 &+ UInt32(digit)
                digits &+= 1
                guard digits <= 3 else { return nil }
            } else {
                guard byte == 0x2e, digits > 0, part < 256, dots < 3 else { return nil }
                address = address << 8 | part
                part = 0
                digits = 0
                dots &+= 1
            }
        }
        guard dots == 3, digits > 0, part < 256 else { return nil }
        return address << 8 | part
    }

    /// RFC 4291, section 2.2.
    @inline(never)
    private var colonAddress: IPAddress? {
        var text = self
        if self[0] == 0x5b, self[count &- 1] == 0x5d { text = part(1, count &- 1) }
        let zone = text.index(of: 0x25)
        if zone < text.count { text = text.part(0, zone) }
        guard text.count >= 2, text.count <= 45 else { return nil }
        var reader = GroupReader()
        guard reader.read(text) else { return nil }
        return reader.address
    }

    /// The groups of an IPv6 address.
    private struct GroupReader {
        private var groups: (UInt64, UInt64) = (0, 0)
        private var tail: (UInt64, UInt64) = (0, 0)
        private var count = 0
        private var tailCount = 0
        private var isBehindGap = false

        mutating func read(_ text: LogBytes) -> Bool {
            var index = 0
            if text.has("::") {
                isBehindGap = true
                index = 2
            }
            while index < text.count {
                guard count &+ tailCount < 8 else { return false }
                let start = index
                while index < text.count, text[index] != 0x3a { index &+= 1 }
                let part = text.part(start, index)
                if index == text.count, let dotted = part.dottedAddress {
                    append(UInt64(dotted >> 16))
                    append(UInt64(dotted & 0xffff))
                    break
                }
                guard let group = Self.group(part) else { return false }
                append(group)
                guard index < text.count else { break }
                index &+= 1
                guard index < text.count else { return false }
                if text[index] == 0x3a {
                    guard !isBehindGap else { return false }
                    isBehindGap = true
                    index &+= 1
                }
            }
            return isBehindGap ? count &+ tailCount < 8 : count == 8
        }

        var address: IPAddress {
            let shift = UInt64(max(8 &- count, 0)) &* 16
            let head = Self.shiftLeft(groups, by: shift)
            return isBehindGap
                ? IPAddress(high: head.0 | tail.0, low: head.1 | tail.1) : IPAddress(high: groups.0, low: groups.1)
        }

        private mutating func append(_ group: UInt64) {
            if isBehindGap {
                tail = (tail.0 << 16 | tail.1 >> 48, tail.1 << 16 | group)
                tailCount &+= 1
            } else {
                groups = (groups.0 << 16 | groups.1 >> 48, groups.1 << 16 | group)
                count &+= 1
            }
        }

        private static func shiftLeft(_ value: (UInt64, UInt64), by bits: UInt64) -> (UInt64, UInt64) {
            if bits >= 128 { return (0, 0) }
            if bits >= 64 { return (value.1 << (bits &- 64), 0) }
            return bits == 0 ? value : (value.0 << bits | value.1 >> (64 &- bits), value.1 << bits)
        }

        private static func group(_ text: LogBytes) -> UInt64? {
            guard text.count > 0, text.count <= 4 else { return nil }
            var value: UInt64 = 0
            for index in 0..<text.count {
                guard let digit = text[index].hexadecimalDigit else { return nil }
                value = value << 4 | UInt64(digit)
            }
            return value
        }
    }
}

extension UInt8 {
    /// The value of an ASCII hexadecimal digit, or nil.
    @inline(__always)
    var hexadecimalDigit: UInt8? {
        switch self {
        case 0x30...0x39: self &- 0x30
        case 0x41...0x46: self &- 0x37
        case 0x61...0x66: self &- 0x57
        default: nil
        }
    }
}
