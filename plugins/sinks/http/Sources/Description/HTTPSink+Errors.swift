internal import SondeDomain
internal import SondePluginKit

extension HTTPSink {
    static let refusals = [
        PluginDescriptor.ErrorDefinition(
            Refusal.address.rawValue,
            meaning: "url, format or proxy cannot be used as it is written.",
            recovery: "Correct the option that the message names."
        ),
        PluginDescriptor.ErrorDefinition(
            Refusal.header.rawValue,
            meaning: "A field of headers cannot be sent, or is written by the sink itself.",
            recovery: "Correct or remove the field that the message names."
        ),
        PluginDescriptor.ErrorDefinition(
            Refusal.credentials.rawValue,
            meaning: "The credentials are incomplete, malformed, or would travel unencrypted.",
            recovery: "Correct auth; for http:// see allow_insecure."
        ),
    ]

    /// One per code: faults that differ only in their hint share theirs.
    static let faults: [PluginDescriptor.ErrorDefinition] = {
        var codes: Set<String> = []
        return TransferFault.allCases.map(\.rule).filter { codes.insert($0.code).inserted }.map {
            PluginDescriptor.ErrorDefinition($0.code, meaning: $0.meaning, recovery: $0.recovery)
        }
    }()

    /// One per status that has a line of its own; any other status has its code all the same, `SND-HTTP<status>`.
    static let statuses = StatusRule.all.map {
        PluginDescriptor.ErrorDefinition(
            StatusRule.code(of: $0.status),
            meaning: $0.meaning,
            recovery: $0.recovery
        )
    }
}
