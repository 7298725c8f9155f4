/// What the names of files beside a log mean.
enum RotatedName {
    private static let compressed = [".gz", ".xz", ".bz2", ".zst", ".lz4", ".lzma", ".lz", ".Z", ".zip"]

    /// Whether the ending is that of a compressed file; such a file is never read.
    static func isCompressed(_ name: String) -> Bool {
        compressed.contains { name.utf8.ends(with: $0) }
    }

    /// Whether a file `name` may once have been called `base`: `NAME.*`, `NAME-*`, or ``isRotation(_:of:)``.
    static func isSibling(_ name: String, of base: String) -> Bool {
        guard !isCompressed(name) else { return false }
        guard let rest = remainder(of: name, after: base), let first = rest.first else {
            return isRotation(name, of: base)
        }
        return first == UInt8(ascii: ".") || first == UInt8(ascii: "-")
    }

    /// Whether `name` is `base` with the number or date of a rotation: `q.log.1`, `q.log-20260102`, `q-20260102.log`.
    ///
    /// `q.log.err` is none: that may be another log.
    static func isRotation(_ name: String, of base: String) -> Bool {
        guard !isCompressed(name) else { return false }
        if let rest = remainder(of: name, after: base) {
            return isStamp(rest) || rest.elementsEqual(".old".utf8)
        }
        // logrotate's `extension .log` puts the number in front of the ending.
        guard let dot = base.utf8.lastIndex(of: UInt8(ascii: ".")), dot != base.utf8.startIndex else { return false }
        let ending = base.utf8[dot...]
        guard name.utf8.ends(with: ending), let rest = remainder(of: name, after: base.utf8[..<dot]) else {
            return false
        }
        return rest.count > ending.count && isStamp(rest.dropLast(ending.count))
    }

    /// Whether `name` is that of a rotation that was compressed: `q.log.1.gz`.
    static func isCompressedRotation(_ name: String, of base: String) -> Bool {
        guard let ending = compressed.first(where: { name.utf8.ends(with: $0) }) else { return false }
        return isRotation(String(name.dropLast(ending.count)), of: base)
    }

    /// The names that a file `name` may have had before it was rotated.
    static func bases(of name: String) -> [String] {
        let separators = name.utf8.indices.filter { [UInt8(ascii: "."), UInt8(ascii: "-")].contains(name.utf8[$0]) }
        let ending = name.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(name[$0...]) } ?? ""
        return separators.flatMap { [String(name[..<$0]), String(name[..<$0]) + ending] }.filter {
            isRotation(name, of: $0)
        }
    }

    private static func remainder(of name: String, after base: some Collection<UInt8>) -> Substring.UTF8View? {
        guard name.utf8.count > base.count, name.utf8.starts(with: base) else { return nil }
        return name.utf8.dropFirst(base.count)
    }

    private static func remainder(of name: String, after base: String) -> Substring.UTF8View? {
        remainder(of: name, after: base.utf8)
    }

    private static func isStamp(_ rest: Substring.UTF8View) -> Bool {
        guard let first = rest.first, first == UInt8(ascii: ".") || first == UInt8(ascii: "-") else { return false }
        let others = Array(".-_:TZ+".utf8)
        return rest.contains(where: isDigit) && rest.allSatisfy { isDigit($0) || others.contains($0) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

extension String.UTF8View {
    fileprivate func ends(with ending: String) -> Bool { ends(with: ending.utf8) }

    fileprivate func ends(with ending: some BidirectionalCollection<UInt8>) -> Bool {
        reversed().starts(with: ending.reversed())
    }
}
