/// Names an open page: 128 random bits, which cannot be guessed.
struct PageID: Hashable, Sendable, CustomStringConvertible {
    /// 32 hexadecimal digits.
    let description: String

    /// A new one.
    init() {
        description = RandomText.make()
    }

    /// The one of a request; nil: it has another form.
    init?(_ text: some StringProtocol) {
        guard text.utf8.count == RandomText.length, text.utf8.allSatisfy(RandomText.isDigit) else { return nil }
        description = String(text)
    }
}

/// Texts that cannot be guessed.
enum RandomText {
    /// How many hexadecimal digits 128 bits have.
    static let length = 32
    private static let digits = Array("0123456789abcdef".utf8)

    /// 128 bits of the kernel's random numbers, as hexadecimal digits.
    static func make() -> String {
        // On Linux it is getrandom(2).
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<length).map { _ in digits[Int(generator.next(upperBound: UInt8(16)))] }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func isDigit(_ byte: UInt8) -> Bool { digits.contains(byte) }
}
