import SondeDomain
import SondeFormats

/// Options whose dotted keys are nested mappings, as a JSON Schema.
struct OptionTree {
    /// What a key is.
    private enum Node {
        case option(OptionDefinition)
        case section([OptionDefinition])
    }

    /// The constraints of single options that their types do not say, by dotted path.
    private let constraints: [String: [JSONValue.Member]]
    private let path: String
    private let nodes: [(key: String, node: Node)]

    /// The tree of options in their order.
    init(_ definitions: [OptionDefinition], constraints: [String: [JSONValue.Member]] = [:]) {
        self.init(definitions, below: "", constraints)
    }

    private init(
        _ definitions: [OptionDefinition], below path: String, _ constraints: [String: [JSONValue.Member]]
    ) {
        self.path = path
        self.constraints = constraints
        var nodes: [(key: String, node: Node)] = []
        for definition in definitions {
            let rest = definition.key.dropFirst(path.count)
            let key = String(rest.prefix { $0 != "." })
            guard key.count < rest.count else {
                nodes.append((key, .option(definition)))
                continue
            }
            if let index = nodes.firstIndex(where: { $0.key == key }) {
                guard case .section(let inner) = nodes[index].node else { continue }
                nodes[index].node = .section(inner + [definition])
            } else {
                nodes.append((key, .section([definition])))
            }
        }
        self.nodes = nodes
    }

    /// The schema of a mapping with these keys and no others.
    var members: [JSONValue.Member] {
        var members: [JSONValue.Member] = [
            .init("type", .strings(required.isEmpty ? ["object", "null"] : ["object"])),
            .init("properties", .object(properties)), .init("additionalProperties", .bool(false)),
        ]
        if !required.isEmpty { members.append(.init("required", .strings(required))) }
        return members
    }

    /// The schema of each key.
    var properties: [JSONValue.Member] {
        nodes.map { key, node in
            switch node {
            case .option(let definition):
                JSONValue.Member(key, OptionSchema(definition: definition).value(constraints[definition.key]))
            case .section(let definitions): JSONValue.Member(key, .object(section(key, definitions).members))
            }
        }
    }

    /// The keys that must be there.
    var required: [String] {
        nodes.compactMap { key, node in
            switch node {
            case .option(let definition): definition.isRequired ? key : nil
            case .section(let definitions): section(key, definitions).required.isEmpty ? nil : key
            }
        }
    }

    private func section(_ key: String, _ definitions: [OptionDefinition]) -> OptionTree {
        OptionTree(definitions, below: "\(path)\(key).", constraints)
    }
}
