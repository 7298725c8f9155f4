/// Distinguishes configurations without using their secrets.
extension ConfigurationText {
    // FNV-1a, 64 bits: for comparisons by people and queries, not for security.
    private static let basis: UInt64 = 0xcbf2_9ce4_8422_2325
    private static let prime: UInt64 = 0x0000_0100_0000_01b3

    /// Sixteen hexadecimal digits: the same for the same text, independent of file names and secrets.
    ///
    /// References such as `${file:…}` are hashed as they are written, so that hosts with one file have one digest.
    public static func digest(of texts: [ConfigurationText]) -> String {
        var hash = basis
        for text in texts { text.add(to: &hash) }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    private func add(to hash: inout UInt64) {
        for (index, line) in lines.enumerated() {
            let hidden = secrets.compactMap { $0.columns(inLine: index + 1) }
            for (column, scalar) in line.unicodeScalars.enumerated()
            where !hidden.contains(where: { $0.contains(column + 1) }) {
                hash = (hash ^ UInt64(scalar.value)) &* Self.prime
            }
            hash = (hash ^ 0x0a) &* Self.prime
        }
    }
}
