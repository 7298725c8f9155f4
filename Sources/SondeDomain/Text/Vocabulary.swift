/// The words that could have been meant.
public struct Vocabulary: Sendable {
    private let words: [String]

    /// A vocabulary; of equally near words the first is suggested.
    public init(_ words: some Sequence<String>) {
        self.words = Array(words)
    }

    /// The word that `typed` was most likely meant to be; nil when none is near.
    ///
    /// Near means one slip for words of up to five letters, two up to eight, three beyond; letter case is no slip.
    public func nearest(to typed: String) -> String? {
        guard let folded = Self.folded(typed), !folded.isEmpty else { return nil }
        let limit = folded.count <= 5 ? 1 : folded.count <= 8 ? 2 : 3
        var best: (word: String, distance: Int)?
        for word in words {
            guard let other = Self.folded(word), abs(other.count - folded.count) <= limit else { continue }
            let distance = EditDistance.between(folded, other)
            // If every letter would change it is another word.
            guard distance <= limit, distance < max(folded.count, other.count) else { continue }
            if best.map({ distance < $0.distance }) ?? true { best = (word, distance) }
        }
        return best?.word
    }

    /// The word in lower case; nil when it is too long to be a slip of the finger.
    private static func folded(_ word: String) -> [Unicode.Scalar]? {
        let scalars = word.lowercased().unicodeScalars
        return word.utf8.count > 128 ? nil : Array(scalars)
    }
}
