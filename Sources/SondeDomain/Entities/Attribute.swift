/// One name/value pair that identifies a series, or one label.
public struct Attribute: Hashable, Sendable, Comparable {
    /// The attribute's name in OpenTelemetry spelling, `network.interface.name`.
    public let name: String
    /// The attribute's value.
    public let value: String

    /// An attribute.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Orders by name, then by value.
    public static func < (left: Attribute, right: Attribute) -> Bool {
        left.name == right.name ? left.value < right.value : left.name < right.name
    }
}
