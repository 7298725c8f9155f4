internal import CSondePlugin

extension String {
    /// A copy of a contract string; invalid UTF-8 is repaired.
    init(_ string: sonde_string) {
        guard let data = string.data, string.size > 0 else {
            self = ""
            return
        }
        let bytes = UnsafeRawBufferPointer(start: data, count: string.size)
        self = String(decoding: bytes, as: UTF8.self)
    }

    /// Lends the string for the length of a call.
    func withContractString<Result>(_ body: (sonde_string) -> Result) -> Result {
        var copy = self
        return copy.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { body(sonde_string(data: $0.baseAddress, size: $0.count)) }
        }
    }

    /// Copies the string into a fixed field, cut at a character boundary, with a final NUL.
    func copy(into field: UnsafeMutableRawBufferPointer) {
        guard field.count > 0 else { return }
        var count = 0
        for scalar in unicodeScalars {
            let bytes = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            guard count + bytes.count < field.count else { break }
            for byte in bytes {
                field[count] = byte
                count += 1
            }
        }
        field[count] = 0
    }
}
