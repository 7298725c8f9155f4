/// Replaces secrets in text from other programs, before it reaches a log, a status or a receiver.
public struct SecretMask: Sendable {
    private static let stars = Array("***".utf8)

    private let secrets: [[UInt8]]

    /// A mask of these values, the longest first; empty ones are none.
    public init(_ secrets: [Secret]) {
        self.secrets = secrets.map { Array($0.reveal().utf8) }.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
    }

    /// The text with each secret replaced by `***`.
    public func masking(_ text: String) -> String {
        guard !secrets.isEmpty else { return text }
        let bytes = Array(text.utf8)
        let masked = secrets.reduce(bytes) { Self.replacing($1, in: $0) }
        return masked == bytes ? text : String(decoding: masked, as: UTF8.self)
    }

    private static func replacing(_ secret: [UInt8], in text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        while index < text.count {
            if text[index] == secret[0], text[index...].starts(with: secret) {
                result += stars
                index += secret.count
            } else {
                result.append(text[index])
                index += 1
            }
        }
        return result
    }
}
