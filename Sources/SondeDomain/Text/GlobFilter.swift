/// Which names pass, by glob: `*` any run of characters, `?` one character.
public struct GlobFilter: Sendable {
    private let include: [[Unicode.Scalar]]
    private let exclude: [[Unicode.Scalar]]

    /// A filter: one of `include` must match, or there is none; none of `exclude` may.
    public init(include: [String], exclude: [String]) {
        self.include = include.map { Array($0.unicodeScalars) }
        self.exclude = exclude.map { Array($0.unicodeScalars) }
    }

    /// Whether a name passes.
    public func passes(_ name: String) -> Bool {
        guard !include.isEmpty || !exclude.isEmpty else { return true }
        let name = Array(name.unicodeScalars)
        guard include.isEmpty || include.contains(where: { Self.matches($0, name) }) else { return false }
        return !exclude.contains { Self.matches($0, name) }
    }

    // Linear in practice and never worse than pattern times name: on a mismatch only the last `*` is widened.
    private static func matches(_ pattern: [Unicode.Scalar], _ name: [Unicode.Scalar]) -> Bool {
        var at = 0
        var index = 0
        var star: (pattern: Int, name: Int)?
        while index < name.count {
            if at < pattern.count, pattern[at] == "*" {
                star = (at, index)
                at += 1
            } else if at < pattern.count, pattern[at] == "?" || pattern[at] == name[index] {
                at += 1
                index += 1
            } else if let last = star {
                at = last.pattern + 1
                index = last.name + 1
                star = (last.pattern, last.name + 1)
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == "*" }
    }
}
