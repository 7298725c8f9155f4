/// Base 64 of RFC 4648, section 4.
///
/// Only to know what a secret looks like on its way; libcurl writes the header field.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// `bytes` in base 64, padded.
    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let word = (0..<3).reduce(0) { word, offset in
                word << 8 | (offset < group.count ? Int(group[start + offset]) : 0)
            }
            for place in 0..<4 {
                text.append(place <= group.count ? alphabet[word >> (18 - 6 * place) & 63] : 0x3d)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
