/// Takes secrets out of what a receiver says, so that one that echoes its request puts none into a log.
struct Redaction: Sendable {
    private static let stars = Array("***".utf8)

    private let secrets: [[UInt8]]
    /// The length of the longest secret: text must be longer by this than what is shown of it, or a cut could leave the
    /// first half of a secret standing.
    let longest: Int

    /// Hides `secrets`, longest first; empty ones are none.
    init(_ secrets: [String]) {
        self.secrets = secrets.map { Array($0.utf8) }.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
        longest = self.secrets.first?.count ?? 0
    }

    /// `text` with each secret replaced by three stars.
    func hiding(_ text: [UInt8]) -> [UInt8] {
        secrets.reduce(text) { $0.replacing($1, with: Self.stars) }
    }
}

extension Array where Element == UInt8 {
    /// Every occurrence of `part`, which is not empty, replaced.
    func replacing(_ part: [UInt8], with replacement: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var index = startIndex
        while index < endIndex {
            if self[index...].starts(with: part) {
                result += replacement
                index += part.count
            } else {
                result.append(self[index])
                index += 1
            }
        }
        return result
    }
}
