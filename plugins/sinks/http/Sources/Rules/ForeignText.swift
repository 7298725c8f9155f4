internal import SondePluginKit

extension ForeignText {
    /// A receiver's text, on one line that a person can read: without tags, with one space for white space of any
    /// length, and at most `limit` characters or so.
    static func sentence(_ bytes: [UInt8], limit: Int) -> String {
        let words = (MarkupText.isMarkup(bytes) ? MarkupText.plain(bytes) : bytes)
            .split { $0 == 0x20 || (0x09...0x0d).contains($0) }
        return line(String(decoding: Array(words.joined(separator: [0x20])), as: UTF8.self), limit: limit)
    }
}

/// The text of a page of HTML or a document of XML, without its tags.
enum MarkupText {
    // Elements whose text is not for readers.
    private static let hiddenElements = ["head", "script", "style"].map { Array($0.utf8) }

    /// Whether a text looks like markup.
    static func isMarkup(_ text: [UInt8]) -> Bool {
        let start = text.drop { $0 <= 0x20 }
        guard start.first == 0x3c, let next = start.dropFirst().first else { return false }
        return next == 0x21 || next == 0x3f || start.hasPart("</")
    }

    /// The text between the tags, with entities replaced.
    static func plain(_ text: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        var rest = text[...]
        while let byte = rest.first {
            if let end = tagEnd(rest) {
                plain.append(0x20)
                rest = rest[end...]
            } else if let entity = EscapedText.entity(rest) {
                plain += entity.bytes
                rest = rest.dropFirst(entity.length)
            } else {
                plain.append(byte)
                rest = rest.dropFirst()
            }
        }
        return plain
    }

    /// Where the text continues after the tag, comment or hidden element that it begins with; nil: it begins with none.
    private static func tagEnd(_ text: ArraySlice<UInt8>) -> Int? {
        guard text.first == 0x3c, let next = text.dropFirst().first else { return nil }
        guard next == 0x2f || next == 0x21 || next == 0x3f || isLetter(next) else { return nil }
        if text.starts(with: "<!--".utf8) { return end(of: "-->", in: text) }
        let name = text.dropFirst().prefix { isLetter($0) || (0x30...0x39).contains($0) }.map(\.asciiLowercase)
        guard hiddenElements.contains(name) else { return end(of: ">", in: text) }
        let close = Array("</".utf8) + name
        let start = text.indices.first { text[$0...].prefix(close.count).map(\.asciiLowercase) == close }
        return start.map { end(of: ">", in: text[$0...]) } ?? text.endIndex
    }

    private static func end(of mark: String, in text: ArraySlice<UInt8>) -> Int {
        let mark = Array(mark.utf8)
        return text.indices.first { text[$0...].starts(with: mark) }.map { $0 + mark.count } ?? text.endIndex
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }
}
