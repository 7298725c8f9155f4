public import SondeDomain

/// The options of one instance: validated against the plugin's schema, defaulted, with references replaced.
public struct OptionValues: Sendable {
    /// One value in base units.
    public enum Value: Hashable, Sendable {
        /// A string or one of a choice.
        case string(String)
        /// A string that is never shown.
        case secret(Secret)
        /// `true` or `false`.
        case bool(Bool)
        /// A whole number.
        case integer(Int64)
        /// A finite number.
        case double(Double)
        /// A span of time.
        case duration(Nanoseconds)
        /// A number of bytes.
        case size(Int64)
        /// A list of strings.
        case list([String])
        /// A map in the order of the file.
        case map([Attribute])
        /// A list of so many mappings, whose members have their own paths: `targets[2].host`.
        case entries(Int)
    }

    /// The values by dotted path, `tls.ca_file`.
    public let values: [String: Value]
    /// The place of each value that the file sets.
    public let marks: [String: SourceMark]
    /// The text as the file has it, by path, of strings that contain references; their values may be secret.
    public let references: [String: String]

    /// Options.
    public init(
        _ values: [String: Value] = [:], marks: [String: SourceMark] = [:], references: [String: String] = [:]
    ) {
        self.values = values
        self.marks = marks
        self.references = references
    }

    /// Whether the file sets a value at a path, below it or around it, and it could be read.
    public func hasValue(at path: String) -> Bool {
        marks[path] != nil && values.keys.contains { Self.contains($0, path) || Self.contains(path, $0) }
    }

    /// The same without the values of the section that contains a path; nil: there are none.
    public func withoutSection(of path: String) -> OptionValues? {
        let section = String(path.prefix { $0 != "." && $0 != "[" })
        let rest = values.filter { !Self.contains(section, $0.key) }
        guard rest.count < values.count else { return nil }
        return OptionValues(rest, marks: marks.filter { !Self.contains(section, $0.key) })
    }

    /// Whether `inner` is `outer`, or a member or element of it.
    private static func contains(_ outer: String, _ inner: String) -> Bool {
        guard inner.utf8.starts(with: outer.utf8) else { return false }
        let next = inner.utf8.dropFirst(outer.utf8.count).first
        return next == nil || next == UInt8(ascii: ".") || next == UInt8(ascii: "[")
    }
}
