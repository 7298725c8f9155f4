import SondeDomain
import SondeEngine

/// One line of a file with a caret below a place in it.
///
/// Secrets are masked, characters that could steer a terminal are replaced, and long lines are cut.
public struct SourceExcerpt: Hashable, Sendable {
    private static let widthLimit = 160
    private static let mask = "***"

    /// The line.
    public let line: String
    /// Blanks and a caret.
    public let caret: String

    init?(of text: ConfigurationText, at mark: SourceMark) {
        guard text.lines.indices.contains(mark.line - 1) else { return nil }
        let scalars = Array(text.lines[mark.line - 1].unicodeScalars)
        guard !scalars.isEmpty else { return nil }
        let secrets = text.secrets.compactMap { $0.columns(inLine: mark.line) }
        var drawing = Drawing()
        let window = Self.window(of: scalars.count, around: mark.column)
        if window.lowerBound > 1 { drawing.add("…", columns: 1) }
        for column in window {
            let secret = secrets.first { $0.contains(column) }
            if column == mark.column && secret == nil { drawing.placeCaret() }
            guard let secret else {
                drawing.add(scalars[column - 1])
                continue
            }
            guard column == max(secret.lowerBound, window.lowerBound) else { continue }
            if secret.contains(mark.column) { drawing.placeCaret() }
            drawing.add(Self.mask, columns: Self.mask.count)
        }
        if window.upperBound <= scalars.count { drawing.add("…", columns: 1) }
        line = drawing.line
        caret = drawing.caretLine
    }

    /// The columns that are shown, counted from 1.
    private static func window(of count: Int, around column: Int) -> Range<Int> {
        guard count > widthLimit else { return 1..<(count + 1) }
        let start = max(1, min(column - widthLimit / 2, count + 1 - widthLimit))
        return start..<(start + widthLimit)
    }
}

extension SourceExcerpt {
    /// A line under construction and the blanks that lead below its end.
    private struct Drawing {
        private(set) var line = ""
        private var blanks = ""
        private var caret: String?

        var caretLine: String { (caret ?? blanks) + "^" }

        mutating func placeCaret() {
            caret = caret ?? blanks
        }

        mutating func add(_ text: String, columns: Int) {
            line += text
            blanks += String(repeating: " ", count: columns)
        }

        mutating func add(_ scalar: Unicode.Scalar) {
            if scalar == "\t" {
                line += "\t"
                blanks += "\t"
            } else if HarmlessText.isHarmless(scalar) {
                line.unicodeScalars.append(scalar)
                blanks += String(repeating: " ", count: CharacterWidth.columns(of: scalar))
            } else {
                add("\u{FFFD}", columns: 1)
            }
        }
    }
}
