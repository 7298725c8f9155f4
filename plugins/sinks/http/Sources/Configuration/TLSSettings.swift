internal import SondePluginKit

/// How the receiver is verified, and how the agent authenticates itself.
///
/// There is no way to switch verification off.
struct TLSSettings: Hashable, Sendable {
    /// The oldest version that is allowed.
    enum MinimumVersion: String, Hashable, Sendable, CaseIterable {
        case v1v2 = "1.2"
        case v1v3 = "1.3"
    }

    /// The trusted authorities; nil: those of the system.
    var authorityFile: String?
    /// The agent's own certificate.
    var certificateFile: String?
    /// Its key; nil: in the file of the certificate.
    var keyFile: String?
    /// The oldest version that is allowed.
    var minimumVersion = MinimumVersion.v1v2

    /// The name that the receiver's certificate must have; nil: that of its URL.
    var serverName: String?

    /// Trusts the system's authorities, without a client certificate.
    init() {}

    /// Reads the options under `tls` and opens each file once.
    init(_ options: Options) throws(PluginError) {
        authorityFile = try Self.file("tls.ca_file", options)
        certificateFile = try Self.file("tls.cert_file", options)
        keyFile = try Self.file("tls.key_file", options)
        guard keyFile == nil || certificateFile != nil else {
            throw Self.refused("tls.cert_file", "is missing beside tls.key_file", "Give both.")
        }
        let word = options.string("tls.min_version") ?? MinimumVersion.v1v2.rawValue
        guard let version = MinimumVersion(rawValue: word) else {
            throw Self.refused("tls.min_version", "is '\(word)'", "Use 1.2 or 1.3.")
        }
        minimumVersion = version
        serverName = options.string("tls.server_name")
        if let name = serverName, name.isEmpty || !name.utf8.allSatisfy(Self.isNameByte) {
            throw Self.refused("tls.server_name", "is no name of a host", "Write it like metrics.example.net.")
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

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x2d, 0x2e, 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: false
        }
    }

    private static func refused(_ option: String, _ fault: String, _ hint: String) -> PluginError {
        .refused(.trust, "\(option) \(fault)", hint: hint, option: option)
    }
}
