/// A `${…}` in a value.
enum Reference: Hashable, Sendable {
    case variable(name: String, fallback: String?)
    case file(path: String)
    case credential(name: String)
    case host(HostFact)

    /// As it is written, without a default.
    var name: String {
        switch self {
        case .variable(let name, _): "${env:\(name)}"
        case .file(let path): "${file:\(path)}"
        case .credential(let name): "${cred:\(name)}"
        case .host(let fact): "${host:\(fact.rawValue)}"
        }
    }
}

/// What a value can have of the host.
enum HostFact: String, Hashable, Sendable, CaseIterable {
    case name
    case machineID = "machine_id"
    case operatingSystem = "os"
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
