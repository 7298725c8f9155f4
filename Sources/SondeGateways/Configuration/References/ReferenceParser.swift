/// Cuts a value in literal stretches and references.
struct ReferenceParser {
    private static let dollar = UInt8(ascii: "$")
    private static let open = UInt8(ascii: "{")
    private static let close = UInt8(ascii: "}")

    private let bytes: [UInt8]
    private var position = 0
    private var literal: [UInt8] = []
    private var ordinal = 0
    private var segments: [ReferenceSegment] = []

    private init(_ text: String) {
        bytes = Array(text.utf8)
    }

    static func segments(of text: String) throws(ReferenceDefect) -> [ReferenceSegment] {
        var parser = ReferenceParser(text)
        return try parser.parse()
    }

    private mutating func parse() throws(ReferenceDefect) -> [ReferenceSegment] {
        while position < bytes.count {
            if starts(with: [Self.dollar, Self.dollar, Self.open], at: position) {
                literal += [Self.dollar, Self.open]
                position += 3
                ordinal += 1
            } else if starts(with: [Self.dollar, Self.open], at: position) {
                flushLiteral()
                segments.append(.reference(try reference(), ordinal: ordinal))
                ordinal += 1
            } else {
                literal.append(bytes[position])
                position += 1
            }
        }
        flushLiteral()
        return segments
    }

    private mutating func flushLiteral() {
        guard !literal.isEmpty else { return }
        segments.append(.literal(String(decoding: literal, as: UTF8.self)))
        literal.removeAll(keepingCapacity: true)
    }

    private mutating func reference() throws(ReferenceDefect) -> Reference {
        let start = position + 2
        guard let end = bytes[start...].firstIndex(of: Self.close) else {
            throw defect("the reference that begins here has no '}'", "write '$${' for a literal '${'")
        }
        let body = bytes[start..<end]
        guard !body.indices.contains(where: { starts(with: [Self.dollar, Self.open], at: $0) }) else {
            throw defect("references cannot stand inside references", "set the variable to the whole value")
        }
        position = end + 1
        if body.starts(with: Array("env:".utf8)) { return try variable(body.dropFirst(4)) }
        if body.starts(with: Array("file:".utf8)) { return try file(body.dropFirst(5)) }
        if body.starts(with: Array("cred:".utf8)) { return try credential(body.dropFirst(5)) }
        if body.starts(with: Array("host:".utf8)) { return try host(body.dropFirst(5)) }
        throw defect(
            "a reference begins with 'env:', 'file:', 'cred:' or 'host:'",
            "write ${env:NAME}, ${file:/path}, ${cred:name} or ${host:name}, or '$${' for a literal '${'")
    }

    private func variable(_ body: ArraySlice<UInt8>) throws(ReferenceDefect) -> Reference {
        let split = body.indices.first { starts(with: Array(":-".utf8), at: $0) }
        let name = body[..<(split ?? body.endIndex)]
        guard !name.isEmpty else { throw defect("the reference names no variable", "write ${env:NAME}") }
        guard Self.isVariableName(name) else {
            throw defect(
                "\(Shown.text(Self.text(name))) is no name of an environment variable",
                "names consist of letters, digits and '_'; a default follows ':-'")
        }
        return .variable(name: Self.text(name), fallback: split.map { Self.text(body[($0 + 2)...]) })
    }

    private func file(_ body: ArraySlice<UInt8>) throws(ReferenceDefect) -> Reference {
        guard !body.isEmpty else { throw defect("the reference names no file", "write ${file:/path}") }
        guard body.first == UInt8(ascii: "/") else {
            throw defect(
                "the path \(Shown.text(Self.text(body))) does not begin with '/'", "write the whole path of the file")
        }
        return .file(path: Self.text(body))
    }

    /// The name becomes the last part of a path.
    private func credential(_ body: ArraySlice<UInt8>) throws(ReferenceDefect) -> Reference {
        guard !body.isEmpty else { throw defect("the reference names no credential", "write ${cred:name}") }
        let isName = body.count <= 255 && !body.contains(UInt8(ascii: "/")) && !body.contains(0)
        guard isName, body.first != UInt8(ascii: ".") else {
            throw defect(
                "\(Shown.text(Self.text(body))) is no name of a credential",
                "it is the name in LoadCredential=name:/path of the unit")
        }
        return .credential(name: Self.text(body))
    }

    private func host(_ body: ArraySlice<UInt8>) throws(ReferenceDefect) -> Reference {
        if let fact = HostFact(rawValue: Self.text(body)) { return .host(fact) }
        throw defect(
            "\(Shown.text(Self.text(body))) is nothing that a host says of itself",
            "there are \(Shown.list(HostFact.allCases.map { "${host:\($0.rawValue)}" }))")
    }

    private func starts(with prefix: [UInt8], at index: Int) -> Bool {
        bytes[index...].starts(with: prefix)
    }

    private func defect(_ message: String, _ suggestion: String) -> ReferenceDefect {
        ReferenceDefect(ordinal: ordinal, message: message, suggestion: suggestion)
    }

    private static func isVariableName(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
        return bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
