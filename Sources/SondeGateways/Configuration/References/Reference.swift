/// A `${…}` in a value.
enum Reference: Hashable, Sendable {
    case variable(name: String, fallback: String?)
    case file(path: String)
}

/// One stretch of a value.
enum ReferenceSegment: Hashable, Sendable {
    case literal(String)
    /// `ordinal` counts every `${` of the value from 0, escaped ones included.
    case reference(Reference, ordinal: Int)
}

/// A `${` that does not begin a reference.
struct ReferenceDefect: Error, Hashable, Sendable {
    let ordinal: Int
    let message: String
    let suggestion: String
}
