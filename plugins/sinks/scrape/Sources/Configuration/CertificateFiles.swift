internal import CMicrohttpd
internal import SondeDomain
internal import SondePluginKit

/// The certificate and key that the sink shows, in files that are read again when they change.
struct CertificateFiles {
    /// What was read, NUL-terminated PEM.
    struct Contents: Hashable {
        let certificate: [CChar]
        let key: [CChar]
        let priorities: String

        /// Runs `body` with what libmicrohttpd takes.
        func withPointers<Result>(
            _ body: (UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>) -> Result
        ) -> Result {
            certificate.withUnsafeBufferPointer { chain in
                key.withUnsafeBufferPointer { key in
                    priorities.withCString { body(chain.baseAddress, key.baseAddress, $0) }
                }
            }
        }

        /// Whether they can be used together.
        fileprivate var isUsable: Bool {
            var observer = sonde_mhd_observer()
            observer.message = { _, _ in }
            return withPointers { sonde_mhd_accepts($0, $1, $2, &observer) == 1 }
        }
    }

    /// The oldest version that is allowed.
    enum MinimumVersion: String, CaseIterable {
        case v1v2 = "1.2"
        case v1v3 = "1.3"

        /// As GnuTLS spells it.
        var priorities: String {
            switch self {
            case .v1v2: "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"
            case .v1v3: "NORMAL:-VERS-ALL:+VERS-TLS1.3"
            }
        }
    }

    private static let longest = 1 << 20

    private let certificateFile: String
    private let keyFile: String
    private let minimumVersion: MinimumVersion

    /// Reads the options under `tls` and each file once; nil: none is set.
    init?(_ options: Options) throws(PluginError) {
        guard let certificate = options.string("tls.cert_file") else {
            guard options.string("tls.key_file") == nil else {
                throw Self.refused("tls.cert_file", "is missing beside tls.key_file")
            }
            return nil
        }
        certificateFile = certificate
        keyFile = options.string("tls.key_file") ?? certificate
        minimumVersion = MinimumVersion(rawValue: options.string("tls.min_version") ?? "1.2") ?? .v1v2
        _ = try read()
    }

    /// The contents of the files; `known` are in use, and need no check.
    func read(known: Contents? = nil) throws(PluginError) -> Contents {
        let certificate = try Self.text(certificateFile, "tls.cert_file", holding: "CERTIFICATE-----")
        let key = try Self.text(keyFile, "tls.key_file", holding: "PRIVATE KEY-----")
        let contents = Contents(certificate: certificate, key: key, priorities: minimumVersion.priorities)
        guard contents == known || contents.isUsable else {
            throw .refused(
                ScrapeCode.certificate, "the certificate and its key cannot be used together",
                hint: "Compare what both say: openssl x509 -noout -pubkey, openssl pkey -pubout.",
                option: "tls.cert_file")
        }
        return contents
    }

    private static func text(_ path: String, _ option: String, holding mark: String) throws(PluginError) -> [CChar] {
        let text: [UInt8]
        do throws(RegularFile.Fault) {
            text = try RegularFile(path).bytes(limit: longest)
        } catch {
            throw refused(option, "'\(path)': \(error.text)")
        }
        guard !text.contains(0), text.indices.contains(where: { text[$0...].starts(with: mark.utf8) }) else {
            throw refused(option, "'\(path)' holds no \(mark.prefix { $0 != "-" }.lowercased()) in PEM")
        }
        return text.map { CChar(bitPattern: $0) } + [0]
    }

    private static func refused(_ option: String, _ fault: String) -> PluginError {
        .refused(
            ScrapeCode.certificate, "\(option) \(fault)",
            hint: "Check the path, and that the agent's user may read the file.", option: option)
    }

    static let options = [
        OptionDefinition(
            "tls.cert_file", .string,
            help: "The certificate, with its chain, in PEM; it makes the sink answer by HTTPS.",
            example: "/etc/sonde/scrape.pem"),
        OptionDefinition(
            "tls.key_file", .string, help: "Its key in PEM; without it, in the file of the certificate.",
            example: "/etc/sonde/scrape.key"),
        OptionDefinition(
            "tls.min_version", .choice(MinimumVersion.allCases.map(\.rawValue)), default: MinimumVersion.v1v2.rawValue,
            help: "The oldest version of TLS that is allowed."),
    ]
}
