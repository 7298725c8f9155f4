internal import SondeDomain
internal import SondePluginKit

/// How brokers are verified, and how the agent authenticates itself to them.
///
/// There is no way to switch verification off.
struct TLSSettings: Hashable, Sendable {
    /// The trusted authorities; nil: those of the system.
    let authorityFile: String?
    /// The agent's own certificate.
    let certificateFile: String?
    /// Its key.
    let keyFile: String?

    /// Reads the options under `tls` and opens each file once; nil: there are none.
    init?(_ options: Options) throws(PluginError) {
        authorityFile = try Self.file("tls.ca_file", options)
        certificateFile = try Self.file("tls.cert_file", options)
        keyFile = try Self.file("tls.key_file", options) ?? certificateFile
        guard keyFile == nil || certificateFile != nil else {
            throw Self.refused("tls.cert_file", "is missing beside tls.key_file", "Give both.")
        }
        switch options.bool("tls.enabled") {
        case true?: break
        case false? where authorityFile != nil || certificateFile != nil:
            throw Self.refused("tls.enabled", "is false beside files of tls", "Remove them, or set it to true.")
        case false?: return nil
        case nil: guard authorityFile != nil || certificateFile != nil else { return nil }
        }
    }

    private static func file(_ option: String, _ options: Options) throws(PluginError) -> String? {
        guard let path = options.string(option), !path.isEmpty else { return nil }
        do throws(RegularFile.Fault) {
            _ = try RegularFile(path)
        } catch {
            throw refused(
                option, "'\(ForeignText.line(path, limit: 256))': \(error.text)",
                "Check the path, and that the agent's user may read the file.")
        }
        return path
    }

    private static func refused(_ option: String, _ fault: String, _ hint: String) -> PluginError {
        .refused(.trust, "\(option) \(fault)", hint: hint, option: option)
    }

    /// The options that are read here.
    static let options = [
        OptionDefinition(
            "tls.enabled", .bool, help: "Encrypts connections; implied by any file of tls."),
        OptionDefinition(
            "tls.ca_file", .string,
            help: "PEM file with the certificate authorities of the brokers, in place of the system's.",
            example: "/etc/sonde/ca.pem"),
        OptionDefinition(
            "tls.cert_file", .string, help: "PEM file with the agent's own certificate.",
            example: "/etc/sonde/agent.pem"),
        OptionDefinition(
            "tls.key_file", .string,
            help: "PEM file with its key; without it the key is looked for in tls.cert_file.",
            example: "/etc/sonde/agent.key"),
    ]
}
