internal import SondeDomain

/// The names of the numbers of one field, from the running kernel: they differ from kernel to kernel.
struct SymbolTable: Hashable {
    /// What a number without a name is called, `reason_129`.
    private let prefix: String
    private let names: [UInt32: String]

    private static let mostNames = 1_024
    private static let longestName = 64

    /// Reads what `__print_symbolic(REC->field, { 2, "NOT_SPECIFIED" }, …)` says of a field; where it says nothing no number
    /// has a name.
    init(of field: String, in format: TracepointFormat, prefix: String) {
        self.prefix = prefix
        var names: [UInt32: String] = [:]
        var taken: Set<String> = []
        for (number, name) in Self.entries(of: field, in: format.printed) {
            guard names.count < Self.mostNames else { break }
            // One name of two numbers would be wrong of one of them.
            guard names[number] == nil, taken.insert(name).inserted, !name.hasPrefix("\(prefix)_") else { continue }
            names[number] = name
        }
        self.names = names
    }

    /// The name of a number, in lower case.
    func name(_ number: UInt32) -> String { names[number] ?? "\(prefix)_\(number)" }

    /// The number with a name, in lower case.
    func number(_ name: String) -> UInt32? { names.first { $0.value == name }?.key }

    private static func entries(of field: String, in text: [UInt8]) -> [(UInt32, String)] {
        let begin = Array("__print_symbolic(REC->\(field),".utf8)
        guard let table = text.behind(begin) else { return [] }
        var entries: [(UInt32, String)] = []
        // A name that holds a parenthesis is none: the first one ends the table.
        for entry in table.prefix(while: { $0 != UInt8(ascii: ")") }).split(separator: UInt8(ascii: "{")).dropFirst() {
            let parts = entry.prefix { $0 != UInt8(ascii: "}") }.split(separator: UInt8(ascii: ","), maxSplits: 1)
            guard parts.count == 2, let number = parts[0].trimmed.decimal, let name = name(parts[1].trimmed) else {
                continue
            }
            entries.append((number, name))
        }
        return entries
    }

    /// `"NOT_SPECIFIED"` as `not_specified`; nil: no name of the kernel.
    private static func name(_ quoted: ArraySlice<UInt8>) -> String? {
        guard quoted.count > 2, quoted.count <= longestName + 2, quoted.first == UInt8(ascii: "\""),
            quoted.last == UInt8(ascii: "\"")
        else { return nil }
        let name = quoted.dropFirst().dropLast()
        let isWord = name.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isWord ? name.text.lowercased() : nil
    }
}

extension [UInt8] {
    /// What follows the first place of some bytes; nil: they are not there.
    fileprivate func behind(_ pattern: [UInt8]) -> ArraySlice<UInt8>? {
        guard let first = pattern.first else { return nil }
        var rest = self[...]
        while let place = rest.firstIndex(of: first) {
            rest = rest[place...]
            if rest.starts(with: pattern) { return rest.dropFirst(pattern.count) }
            rest = rest.dropFirst()
        }
        return nil
    }
}
