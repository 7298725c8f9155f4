public import CSondePlugin
internal import SondeDomain
internal import SondePluginKit

// The contract gives the symbol its name.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The entry that the daemon looks up in `kafka.so`.
@c(sonde_plugin_kafka) public func sonde_plugin_kafka() -> UnsafePointer<sonde_plugin> {
    exportPlugin(KafkaSink.self)
}

extension KafkaSink {
    static let descriptor = PluginDescriptor(
        name: "kafka",
        kind: .sink,
        version: "0.1.0",
        summary: "Writes each batch to a topic of Apache Kafka: as lines of JSON or as OTLP.",
        needs: ["librdkafka 2.0 or later", "A way to the brokers over TCP"],
        options: KafkaConfiguration.options,
        errors: refusals + faults,
        delivery: .durable
    )

    private static let refusals = Refusal.allCases.map {
        PluginDescriptor.ErrorDefinition($0.rawValue, meaning: $0.meaning, recovery: $0.recovery)
    }

    private static let faults = KafkaFault.allCases.map(\.rule).map {
        PluginDescriptor.ErrorDefinition($0.code, meaning: $0.meaning, recovery: $0.recovery)
    }
}

/// The codes of options that `create` refuses.
enum Refusal: String, CaseIterable {
    /// `brokers`, `topic`, `format`, `compression` or `client_id`.
    case address = "SND-KAF020"
    /// `tls`.
    case trust = "SND-KAF021"
    /// `sasl`.
    case credentials = "SND-KAF022"

    var meaning: String {
        switch self {
        case .address: "brokers, topic, compression or client_id cannot be used as it is written."
        case .trust: "A file of tls cannot be used, or the options of tls do not fit each other."
        case .credentials: "The credentials are incomplete, unreadable, or would travel unencrypted."
        }
    }

    var recovery: String {
        switch self {
        case .address: "Correct the option that the message names."
        case .trust: "Check that the files are PEM, belong together and may be read by the agent's user."
        case .credentials: "Correct sasl; for brokers without TLS see allow_insecure."
        }
    }
}

extension PluginError {
    /// The refusal of an option.
    static func refused(_ reason: Refusal, _ message: String, hint: String, option: String) -> PluginError {
        PluginError(reason.rawValue, .configuration, message, hint: hint, optionPath: option)
    }
}
