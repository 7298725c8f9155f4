public import SondeDomain
import SondeEngine
import SondeFormats

/// The JSON Schema (2020-12) of the configuration with the options of plugins, from the definitions that the agent reads by.
///
/// Only keywords that were in draft 7 too are used, since that is what many editors know.
public struct ConfigurationSchemaView {
    /// Which file is described.
    public enum File: Hashable, Sendable {
        /// The one that the agent is started with.
        case main
        /// One in `conf.d`.
        case fragment
    }

    private static let selection = "when"

    private let plugins: [PluginDescriptor]
    private let file: File

    /// The schema of a file for an installation with these plugins.
    public init(_ plugins: [PluginDescriptor], _ file: File = .main) {
        self.plugins = plugins
        self.file = file
    }

    /// The schema as JSON of many lines.
    public var bytes: [UInt8] { value.indentedBytes }

    private var value: JSONValue {
        let required: [String] = file == .main ? ["version"] : []
        return .members(
            ("$schema", "https://json-schema.org/draft/2020-12/schema"),
            ("title", file == .main ? "Configuration of Sonde" : "Configuration of Sonde: a file in conf.d"),
            ("type", .strings(file == .main ? ["object"] : ["object", "null"])),
            ("properties", .object(properties)),
            ("required", .strings(required)),
            ("additionalProperties", .bool(false)),
            (
                "$defs",
                .object(
                    OptionSchema.shared + [
                        .init("source", entry(.source, ConfigurationSchema.source)),
                        .init("sink", entry(.sink, ConfigurationSchema.sink)),
                    ] + plugins.map { .init(Self.name($0), own($0)) })
            ))
    }

    private var properties: [JSONValue.Member] {
        let version = Int64(ConfigurationSchema.version).map(JSONValue.integer) ?? .string(ConfigurationSchema.version)
        let main: [JSONValue.Member] = [
            .init(
                "version",
                .members(("description", "The version that the configuration is written for."), ("const", version))),
            .init("agent", .object(OptionTree(ConfigurationSchema.agent).members)),
            .init("sources", Self.list("source")), .init("sinks", Self.list("sink")),
        ]
        guard file == .fragment else { return main }
        let selection = Self.tree(ConfigurationSchema.identity).properties.filter { $0.key == Self.selection }
        return main + selection
    }

    private static func list(_ definition: String) -> JSONValue {
        .members(
            ("type", .strings(["array", "null"])), ("items", .members(("$ref", .string("#/$defs/\(definition)")))))
    }

    /// What every entry has; the options of its plugin are added by the plugin's name.
    private func entry(_ kind: PluginDescriptor.Kind, _ common: [OptionDefinition]) -> JSONValue {
        let plugins = plugins.filter { $0.kind == kind }
        let constraints = ["plugin": [JSONValue.Member("enum", .strings(plugins.map(\.name)))]]
        let tree = Self.tree(ConfigurationSchema.identity + common, constraints)
        return .members(
            ("type", "object"),
            ("properties", .object(tree.properties)),
            ("required", .strings(["id"])),
            (
                "allOf",
                .array(
                    [.members(("if", Self.isOverride), ("else", .members(("required", .strings(["plugin"])))))]
                        + plugins.map { .members(("if", Self.isEnabled($0.name)), ("then", Self.reference($0))) })
            ))
    }

    /// An entry of a plugin: the keys of every entry, about which nothing more is said, and the plugin's own.
    private func own(_ plugin: PluginDescriptor) -> JSONValue {
        let definitions =
            ConfigurationSchema.identity
            + (plugin.kind == .source ? ConfigurationSchema.source : ConfigurationSchema.sink)
        var common: [String] = []
        for key in definitions.map({ String($0.key.prefix { $0 != "." }) }) where !common.contains(key) {
            common.append(key)
        }
        let tree = OptionTree(plugin.options.filter { !common.contains(String($0.key.prefix { $0 != "." })) })
        let properties = common.map { JSONValue.Member($0, .bool(true)) } + tree.properties
        return .members(
            ("description", .string(plugin.summary)),
            ("properties", .object(properties)), ("additionalProperties", .bool(false)),
            ("if", Self.isOverride), ("else", .members(("required", .strings(tree.required)))))
    }

    private static func tree(
        _ definitions: [OptionDefinition], _ constraints: [String: [JSONValue.Member]] = [:]
    ) -> OptionTree {
        let own = [
            "id": OptionSchema.text(
                matching: IdentifierText.pattern, except: Array(ConfigurationSchema.reservedIDs)),
            "when.host": OptionSchema.textOrList,
            "send": OptionSchema.list(of: ConfigurationSchema.sendWords.map(\.word)),
        ]
        // Of an override the plugin is known, and only 'id' must be there.
        let optional = definitions.map { definition in
            OptionDefinition(
                definition.key, definition.type, default: definition.defaultText,
                required: definition.key == "when.host",
                secret: definition.isSecret, help: definition.help, example: definition.example)
        }
        return OptionTree(optional, constraints: own.merging(constraints) { $1 })
    }

    private static func reference(_ plugin: PluginDescriptor) -> JSONValue {
        .members(("$ref", .string("#/$defs/\(name(plugin))")))
    }

    private static func name(_ plugin: PluginDescriptor) -> String { "\(plugin.kind.rawValue)_\(plugin.name)" }

    private static let isOverride = JSONValue.members(
        ("properties", .members(("override", .members(("const", .bool(true)))))), ("required", .strings(["override"])))

    /// The options of an entry that is disabled are not checked.
    private static func isEnabled(_ plugin: String) -> JSONValue {
        .members(
            (
                "properties",
                .members(
                    ("plugin", .members(("const", .string(plugin)))),
                    ("enabled", .members(("not", .members(("const", .bool(false)))))))
            ), ("required", .strings(["plugin"])))
    }
}
