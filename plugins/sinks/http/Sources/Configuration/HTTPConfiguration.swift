internal import SondeDomain
internal import SondeFormats
internal import SondePluginKit

/// Everything that one instance was configured with, checked.
struct HTTPConfiguration: Sendable {
    /// How the receiver is reached.
    let transport: TransportSettings
    /// What is sent, and what answers mean.
    let profile: Profile
    /// What options say of the format.
    let profileSettings: ProfileSettings
    /// Whether series end with the agent.
    let staleOnStop: Bool
    /// How bodies are compressed.
    let compression: Compression
    /// How many bytes a body may have before it is compressed.
    let longestBody: Int

    /// Reads and checks the options; the first one at fault is named.
    init(_ options: Options) throws(PluginError) {
        transport = try TransportSettings(options, userAgent: "sonde/\(HTTPSink.descriptor.version)")
        profile = try Self.choice("format", options, among: Profile.all, \.format)
        try profile.checkEndpoint(transport.endpoint)
        compression = try Self.choice("compression", options, among: profile.compressions, \.rawValue)
        profileSettings = ProfileSettings(
            version: try Self.choice("version", options, among: ProfileVersion.allCases, \.rawValue),
            encoding: try Self.choice("encoding", options, among: OTLPEncoding.allCases, \.rawValue),
            temporality: try Self.choice("temporality", options, among: OTLPTemporality.allCases, \.rawValue),
            target: PrometheusTarget(
                job: options.string("job") ?? "sonde",
                instance: try Self.choice(
                    "instance", options, among: PrometheusTarget.Instance.allCases, \.rawValue)),
            resourceToAttributes: options.list("resource_to_attributes"))
        staleOnStop = options.bool("stale_on_stop") ?? false
        try compression.library()
        longestBody = Int(options.size("max_body") ?? 32 << 20)
        try transport.refuseOpenCredentials(isAllowed: options.bool("allow_insecure") ?? false)
    }

    /// What must not be in a message when the receiver echoes it.
    ///
    /// Short values of other headers and parameters are no secrets, and hiding them would make messages unreadable.
    func redaction(adding further: [String] = []) -> Redaction {
        let values = transport.headers.filter { $0.value.utf8.count >= 8 }.map(\.value)
        let secrets = transport.headers.filter(\.carriesCredentials).flatMap(\.secrets)
        return Redaction(transport.credentials.secrets + values + secrets + transport.endpoint.secrets + further)
    }

    /// The value that an option names; the first when the option is not set.
    private static func choice<Value>(
        _ option: String, _ options: Options, among values: [Value], _ word: (Value) -> String
    ) throws(PluginError) -> Value {
        let written = options.string(option)
        if let value = values.first(where: { written == nil || word($0) == written }) { return value }
        throw .refused(
            .address,
            "\(option) '\(ForeignText.line(written ?? "", limit: 64))' is not known",
            hint: "Use \(values.map(word).joined(separator: " or ")).",
            option: option
        )
    }

    /// Every option of the sink.
    static let options =
        [
            TransportSettings.urlOption,
            OptionDefinition(
                "format",
                .choice(Profile.all.map(\.format)),
                default: Profile.json.format,
                help: "How a batch is written: "
                    + Profile.all.map { "\($0.format) is \($0.meaning)" }.joined(separator: "; ") + "."
            ),
            OptionDefinition(
                "compression",
                .choice(Compression.allCases.map(\.rawValue)),
                help: "How a body is packed; the first that a format takes is its default: "
                    + Profile.all.map { "\($0.format) " + $0.compressions.map(\.rawValue).joined(separator: ", ") }
                    .joined(separator: "; ") + "."
            ),
            OptionDefinition(
                "max_body",
                .size((64 << 10)...(64 << 20)),
                default: "32MiB",
                help: "The longest body before it is packed; a longer batch is halved."
            ),
            OptionDefinition(
                "version",
                .choice(ProfileVersion.allCases.map(\.rawValue)),
                default: ProfileVersion.auto.rawValue,
                help: "Which version of remote write: auto begins with 2.0 and turns to 1.0 where the receiver knows"
                    + " no other."
            ),
            OptionDefinition(
                "encoding",
                .choice(OTLPEncoding.allCases.map(\.rawValue)),
                default: OTLPEncoding.protobuf.rawValue,
                help: "How a body of otlp is written; json is more than twice as long before it is packed."
            ),
            OptionDefinition(
                "temporality",
                .choice(OTLPTemporality.allCases.map(\.rawValue)),
                default: OTLPTemporality.cumulative.rawValue,
                help: "What counters and histograms of otlp count: since their start, or since the point before."
            ),
            OptionDefinition(
                "job",
                .string,
                default: "sonde",
                help: "The label job in remote write, service.name in otlp; \"\" for none."
            ),
            OptionDefinition(
                "instance",
                .choice(PrometheusTarget.Instance.allCases.map(\.rawValue)),
                default: PrometheusTarget.Instance.host.rawValue,
                help: "The label instance in remote write: the agent's host name, or its id."
            ),
            OptionDefinition(
                "resource_to_attributes",
                .list,
                help: "Attributes of the resource that each data point of otlp has too, by name, with * and ?.",
                example: "[host.name, site]"
            ),
            OptionDefinition(
                "stale_on_stop",
                .bool,
                default: "false",
                help: "Marks every series as ended when the agent stops and nothing waits: in remote write and otlp."
            ),
            OptionDefinition(
                "headers",
                .map,
                help: "Further header fields; those that the sink writes itself are refused.",
                example: "{ X-Scope-OrgID: fra1 }"
            ),
            OptionDefinition(
                HeaderFile.option,
                .map,
                help: "Header fields whose values are secrets in files, by the path; a file is read again when it"
                    + " changes.",
                example: "{ X-API-Key: /run/secrets/key }"
            ),
        ] + TransportSettings.options
}
