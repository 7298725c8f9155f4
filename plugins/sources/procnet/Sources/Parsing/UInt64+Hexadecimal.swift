extension UInt64 {
    /// The value of up to 16 hexadecimal digits, of either case and without a prefix; nil for anything else.
    init?(hexadecimal word: UnsafeRawBufferPointer) {
        guard !word.isEmpty, word.count <= 16 else { return nil }
        self = 0
        for byte in word {
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte &- 0x30
            case 0x41...0x46: digit = byte &- 0x37
            case 0x61...0x66: digit = byte &- 0x57
            default: return nil
            }
            self = self << 4 | UInt64(digit)
        }
    }
}
