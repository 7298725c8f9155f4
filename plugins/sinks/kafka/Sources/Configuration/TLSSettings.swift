internal import Glibc
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
        if let fault = RegularFile.fault(path) {
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

/// A file that has to be there and to be read.
enum RegularFile {
    private static let longest = 64 << 10

    /// What opening it fails with; nil: nothing.
    static func fault(_ path: String) -> String? {
        switch opened(path) {
        case .success(let descriptor):
            close(descriptor)
            return nil
        case .failure(let fault): return fault.text
        }
    }

    /// Its bytes, up to 64 KiB.
    static func contents(_ path: String) -> Result<[UInt8], Fault> {
        opened(path).flatMap { descriptor in
            defer { close(descriptor) }
            var bytes = [UInt8](repeating: 0, count: longest + 1)
            let count = pread(descriptor, &bytes, bytes.count, 0)
            guard count >= 0 else { return .failure(Fault(text: systemText(errno))) }
            guard count <= longest else { return .failure(Fault(text: "longer than 64 KiB")) }
            return .success(Array(bytes.prefix(count)))
        }
    }

    /// Why a file cannot be used.
    struct Fault: Error {
        let text: String
    }

    private static func opened(_ path: String) -> Result<Int32, Fault> {
        guard !path.utf8.contains(0) else { return .failure(Fault(text: "has a NUL byte")) }
        // A FIFO would wait for its writer without O_NONBLOCK.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return .failure(Fault(text: systemText(errno))) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return .failure(Fault(text: "not a regular file"))
        }
        return .success(descriptor)
    }

    // Safe from any thread since glibc 2.32.
    private static func systemText(_ code: Int32) -> String {
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
