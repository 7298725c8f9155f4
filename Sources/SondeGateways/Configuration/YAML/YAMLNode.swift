import SondeDomain

/// A value of a YAML document with its place.
struct YAMLNode: Sendable {
    enum Content: Sendable {
        case scalar(YAMLScalar)
        case sequence([YAMLNode])
        case mapping([YAMLEntry])
    }

    let content: Content
    let mark: SourceMark
    /// Just after the value.
    let end: SourceMark
    let extent: YAMLExtent

    /// The word for its form in messages.
    var formName: String {
        switch content {
        case .scalar(let scalar): scalar.isNull ? "nothing" : "a single value"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }

    var isNull: Bool {
        guard case .scalar(let scalar) = content else { return false }
        return scalar.isNull
    }
}

/// One key of a mapping and its value.
struct YAMLEntry: Sendable {
    let key: String
    let keyMark: SourceMark
    let value: YAMLNode
}

/// A single value as it is written.
struct YAMLScalar: Sendable {
    enum Style: Sendable {
        case plain
        case quoted
        case block
    }

    let text: String
    let style: Style

    /// Whether it is the null of the core schema (YAML 1.2.2 §10.3.2).
    var isNull: Bool {
        style == .plain && ["", "~", "null", "Null", "NULL"].contains(text)
    }
}
