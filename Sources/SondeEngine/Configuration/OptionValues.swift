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
    }

    /// The values by dotted path, `tls.ca_file`.
    public let values: [String: Value]
    /// Where each value that the file sets stands in it.
    public let marks: [String: SourceMark]
    /// The text as the file has it, by path, of strings that references stand in; what they hold may be a secret.
    public let references: [String: String]

    /// Options.
    public init(
        _ values: [String: Value] = [:], marks: [String: SourceMark] = [:], references: [String: String] = [:]
    ) {
        self.values = values
        self.marks = marks
        self.references = references
    }
}
