/// Inputs of tests that are kept in a text file, one per line in hexadecimal.
public enum HexadecimalLines {
    /// The bytes of each line; a pair of characters that is no number is left out.
    public static func decode(_ text: String) -> [[UInt8]] {
        text.split(separator: "\n").map { line in
            let digits = Array(line.utf8)
            return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
                UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
            }
        }
    }
}
