import SondeDomain
import SondeEngine

/// The bytes of a configuration file, cut in lines as libyaml counts them.
struct SourceText: Sendable {
    let file: String
    /// Without a byte order mark.
    let bytes: ArraySlice<UInt8>
    let lines: [String]

    init(_ bytes: [UInt8], file: String) {
        let hasByteOrderMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        self.file = file
        self.bytes = bytes.dropFirst(hasByteOrderMark ? 3 : 0)
        lines = Self.lines(of: String(decoding: self.bytes, as: UTF8.self))
    }

    var start: SourceMark { SourceMark(file: file, line: 1, column: 1) }

    /// The character at a place; nil past the end of its line.
    func scalar(at mark: SourceMark) -> Unicode.Scalar? {
        guard lines.indices.contains(mark.line - 1), mark.column > 0 else { return nil }
        return lines[mark.line - 1].unicodeScalars.dropFirst(mark.column - 1).first
    }

    /// The first byte or character that no YAML text may hold (YAML 1.2.2 §5.1); nil when there is none.
    func defect() -> ConfigurationProblem? {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var line = 1
        var column = 1
        var last: Unicode.Scalar?
        while true {
            let mark = SourceMark(file: file, line: line, column: column)
            switch decoder.decode(&iterator) {
            case .emptyInput: return nil
            case .error: return ConfigurationProblem(.notText, at: mark, "a byte here is not valid UTF-8")
            case .scalarValue(let scalar):
                guard Self.isPrintable(scalar) else { return Self.unprintable(scalar, at: mark) }
                if scalar == "\n" && last == "\r" {
                    column = 1
                } else if Self.isLineBreak(scalar) {
                    line += 1
                    column = 1
                } else {
                    column += 1
                }
                last = scalar
            }
        }
    }

    private static func unprintable(_ scalar: Unicode.Scalar, at mark: SourceMark) -> ConfigurationProblem {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let padding = String(repeating: "0", count: max(0, 4 - digits.count))
        return ConfigurationProblem(.notText, at: mark, "the character U+\(padding)\(digits) may not stand in YAML")
    }

    private static func lines(of text: String) -> [String] {
        var lines: [String] = []
        var line = String.UnicodeScalarView()
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            defer { last = scalar }
            if scalar == "\n" && last == "\r" { continue }
            if isLineBreak(scalar) {
                lines.append(String(line))
                line.removeAll(keepingCapacity: true)
            } else {
                line.append(scalar)
            }
        }
        lines.append(String(line))
        return lines
    }

    // libyaml breaks lines where YAML 1.1 does.
    private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\r" || scalar == "\u{85}" || scalar == "\u{2028}" || scalar == "\u{2029}"
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0x85, 0xA0...0xFEFE, 0xFF00...0xFFFD, 0x1_0000...0x10_FFFF: true
        default: false
        }
    }
}
