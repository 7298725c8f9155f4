/// Keys from the bytes that a terminal sends (ECMA-48, and the function keys of xterm).
public struct KeyReader {
    /// No key is longer.
    private static let bound = 16

    /// The beginning of a key whose end was not read yet.
    private var beginning: [UInt8] = []

    /// A reader.
    public init() {}

    /// The keys in bytes that were read at once, after those before; what is no key is left out.
    ///
    /// A lone escape is a key at once: what could follow it cannot be waited for.
    public mutating func keys(in bytes: [UInt8]) -> [DashboardKeys.Key] {
        var keys: [DashboardKeys.Key] = []
        var rest = (beginning + bytes)[...]
        beginning = []
        while let byte = rest.first {
            if Self.isCut(rest) {
                beginning = Array(rest)
                break
            }
            rest = rest.dropFirst()
            switch byte {
            case 0x1b:
                guard rest.first == 0x5b || rest.first == 0x4f else {
                    keys.append(.escape)
                    continue
                }
                rest = rest.dropFirst()
                if let key = Self.sequence(&rest) { keys.append(key) }
            case 0x0d, 0x0a: keys.append(.enter)
            case 0x7f, 0x08: keys.append(.backspace)
            case 0x09: keys.append(.character("\t"))
            case 0x20...0x7e: keys.append(.character(Character(Unicode.Scalar(byte))))
            case 0xc2...0xf4:
                let length = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3
                let text = String(decoding: [byte] + rest.prefix(length), as: UTF8.self)
                rest = rest.dropFirst(length)
                if text.count == 1, let character = text.first, character != "\u{fffd}" {
                    keys.append(.character(character))
                }
            default: continue
            }
        }
        return keys
    }

    /// Whether these bytes are the beginning of one key.
    private static func isCut(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, bytes.count < bound else { return false }
        let others = bytes.dropFirst()
        switch first {
        case 0x1b:
            guard others.first == 0x5b || others.first == 0x4f else { return false }
            return others.dropFirst().allSatisfy { (0x20...0x3f).contains($0) }
        case 0xc2...0xf4:
            let length = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3
            return others.count < length && others.allSatisfy { $0 & 0xc0 == 0x80 }
        default: return false
        }
    }

    /// The key of a control sequence, whose parameters come before its last byte.
    private static func sequence(_ rest: inout ArraySlice<UInt8>) -> DashboardKeys.Key? {
        let parameters = rest.prefix { (0x20...0x3f).contains($0) }
        rest = rest.dropFirst(parameters.count)
        switch (rest.popFirst(), parameters.first) {
        case (0x41, _): return .up
        case (0x42, _): return .down
        case (0x43, _): return .right
        case (0x44, _): return .left
        case (0x7e, UInt8(ascii: "5")): return .pageUp
        case (0x7e, UInt8(ascii: "6")): return .pageDown
        default: return nil
        }
    }
}
