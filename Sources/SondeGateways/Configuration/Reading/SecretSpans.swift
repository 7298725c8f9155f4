import SondeDomain
import SondeEngine

/// Finds the parts of a file that must not be shown.
enum SecretSpans {
    typealias Span = ConfigurationText.SecretSpan

    /// The single values in a secret node; a bare reference is not one, it only names the secret's location.
    static func spans(of node: YAMLNode) -> [Span] {
        switch node.content {
        case .scalar(let scalar):
            guard !scalar.isNull, !isBareReference(scalar.text) else { return [] }
            return [
                Span(
                    startLine: node.mark.line, startColumn: node.mark.column, endLine: node.end.line,
                    endColumn: node.end.column)
            ]
        case .sequence(let items): return items.flatMap(spans)
        case .mapping(let entries): return entries.flatMap { spans(of: $0.value) }
        }
    }

    /// The values whose key looks like that of a secret, and URLs with a password in them.
    static func likelySpans(in node: YAMLNode) -> [Span] {
        switch node.content {
        case .scalar(let scalar): SecretHint.holdsCredentials(scalar.text) ? spans(of: node) : []
        case .sequence(let items): items.flatMap(likelySpans)
        case .mapping(let entries):
            entries.flatMap { SecretHint.isLikelyKey($0.key) ? spans(of: $0.value) : likelySpans(in: $0.value) }
        }
    }

    /// The same in a file that is not YAML: everything after a key that looks like a secret's, and the deeper lines
    /// below it.
    static func likelySpans(inUnparsed text: SourceText) -> [Span] {
        var spans: [Span] = []
        var secretIndent: Int?
        for (index, line) in text.lines.enumerated() {
            let scalars = Array(line.unicodeScalars)
            let indent = scalars.prefix { $0 == " " || $0 == "\t" }.count
            if let depth = secretIndent, indent > depth || indent == scalars.count {
                spans.append(.line(index + 1, from: indent + 1, to: scalars.count + 1))
                continue
            }
            secretIndent = nil
            if let start = secretValueStart(in: scalars) {
                spans.append(.line(index + 1, from: start + 1, to: scalars.count + 1))
                secretIndent = indent
            } else if SecretHint.holdsCredentials(line) {
                spans.append(.line(index + 1, from: indent + 1, to: scalars.count + 1))
            }
        }
        return spans
    }

    private static func isBareReference(_ text: String) -> Bool {
        guard let segments = try? ReferenceParser.segments(of: text), segments.count == 1 else { return false }
        switch segments[0] {
        case .reference(.file, _), .reference(.credential, _), .reference(.host, _),
            .reference(.variable(_, fallback: nil), _):
            return true
        default: return false
        }
    }

    /// The index of the first character after the first key that looks like a secret's.
    private static func secretValueStart(in scalars: [Unicode.Scalar]) -> Int? {
        for colon in scalars.indices where scalars[colon] == ":" || scalars[colon] == "=" {
            let word = scalars[..<colon].reversed().prefix { !["{", ",", ":", "="].contains($0) }
            var key = String.UnicodeScalarView()
            key.append(contentsOf: word.reversed())
            guard SecretHint.isLikelyKey(String(key)) else { continue }
            return scalars[(colon + 1)...].firstIndex { $0 != " " && $0 != "\t" }
        }
        return nil
    }
}

extension ConfigurationText.SecretSpan {
    fileprivate static func line(_ line: Int, from start: Int, to end: Int) -> Self {
        Self(startLine: line, startColumn: start, endLine: line, endColumn: end)
    }
}
