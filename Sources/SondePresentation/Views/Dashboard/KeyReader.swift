/// Keys from the bytes that a terminal sends (ECMA-48, and the function keys of xterm).
public struct KeyReader {
    /// A reader.
    public init() {}

    /// The keys in bytes that were read at once; what is no key is left out.
    public func keys(in bytes: [UInt8]) -> [DashboardKeys.Key] {
        var keys: [DashboardKeys.Key] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
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
