internal import Glibc
internal import SondeWire

/// Replaces addresses and names in a line of a log; what is no number and no word of the formats is a name.
struct LinePrivacy {
    private let pseudonyms: Pseudonyms

    init(_ pseudonyms: Pseudonyms) {
        self.pseudonyms = pseudonyms
    }

    /// The line as it is recorded.
    func replacing(_ line: UnsafeRawBufferPointer) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(line.count)
        var index = 0
        while index < line.count {
            let start = index
            while index < line.count, Self.belongs(line, index) || line[index] == UInt8(ascii: ":") { index += 1 }
            if index > start { append(line[start..<index], to: &result) }
            guard index < line.count else { break }
            result.append(line[index])
            index += 1
        }
        return result
    }

    private typealias Part = Slice<UnsafeRawBufferPointer>

    /// An address, an address with a port, or words between colons.
    private func append(_ part: Part, to result: inout [UInt8]) {
        if let address = Self.address(part) {
            result += Array("\(pseudonyms.address(address))".utf8)
            return
        }
        guard let colon = part.lastIndex(of: UInt8(ascii: ":")) else { return appendWord(part, to: &result) }
        if let address = Self.address(part[..<colon]),
            address.isIPv4 || part.count(where: { $0 == UInt8(ascii: ":") }) > 1
        {
            result += Array("\(pseudonyms.address(address))".utf8)
            result += part[colon...]
            return
        }
        var isFirst = true
        for word in part.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) {
            if !isFirst { result.append(UInt8(ascii: ":")) }
            isFirst = false
            appendWord(word, to: &result)
        }
    }

    private func appendWord(_ word: Part, to result: inout [UInt8]) {
        guard !word.isEmpty else { return }
        if let address = Self.address(word) {
            result += Array("\(pseudonyms.address(address))".utf8)
            return
        }
        guard !Self.isHarmless(word) else {
            result += word
            return
        }
        var isFirst = true
        for label in word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
            if !isFirst { result.append(UInt8(ascii: ".")) }
            isFirst = false
            result += Self.suffixes.contains(Self.text(label)) ? Array(label) : pseudonyms.label(label)
        }
    }

    /// A number, a time, or words of the formats.
    private static func isHarmless(_ word: Part) -> Bool {
        if word.starts(with: "0x".utf8) || words.contains(text(word)) { return true }
        return word.split(whereSeparator: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }).allSatisfy { part in
            let text = text(part)
            return words.contains(text) || isQuantity(text)
        }
    }

    /// `25`, `3ms`, `26T12`, `00Z`, `TYPE65`.
    private static func isQuantity(_ text: String) -> Bool {
        let rest = text.utf8.drop { (0x30...0x39).contains($0) }
        let isNumber = rest.count < text.utf8.count
        if rest.isEmpty { return true }
        let tail = String(decoding: rest, as: UTF8.self)
        if isNumber { return ["ms", "us", "s", "b", "z"].contains(tail) || isTime(rest) }
        return ["type", "class", "rcode"].contains {
            tail.hasPrefix($0) && isDigits(tail.utf8.dropFirst($0.utf8.count))
        }
    }

    private static func isTime(_ rest: Substring.UTF8View) -> Bool {
        rest.first == UInt8(ascii: "t") && isDigits(rest.dropFirst())
    }

    private static func isDigits(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Whether a byte is of a word; what escapes one that is not stays before it.
    private static func belongs(_ line: UnsafeRawBufferPointer, _ index: Int) -> Bool {
        guard line[index] == UInt8(ascii: "\\") else { return belongs(line[index]) }
        return index + 1 < line.count && belongs(line[index + 1])
    }

    private static func belongs(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x80...0xff: true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "*"), UInt8(ascii: "\\"): true
        default: false
        }
    }

    private static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    // inet_pton(3)
    private static func address(_ part: Part) -> IPAddress? {
        guard (2...45).contains(part.count),
            part.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") })
        else { return nil }
        let text = part.map { CChar(bitPattern: $0) } + [0]
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 { return bytes[..<4].withUnsafeBytes { IPAddress(bytes: $0) } }
        return inet_pton(AF_INET6, text, &bytes) == 1 ? bytes.withUnsafeBytes { IPAddress(bytes: $0) } : nil
    }

    private static let suffixes: Set<String> = ["", "in-addr", "ip6", "arpa"]
}
