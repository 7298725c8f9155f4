import SondeDomain
import SondeEngine

/// Replaces the references in a value.
///
/// It works on parsed values: what a variable or a file holds is never read as YAML.
struct ReferenceResolver {
    private static let fileLimit = 64 << 10
    private static let credentials = "CREDENTIALS_DIRECTORY"

    let environment: any EnvironmentReader
    let files: any FileReader
    let host: any HostReader
    /// How many bytes references may still add, over the whole configuration.
    private var budget = 4 << 20

    init(environment: any EnvironmentReader, files: any FileReader, host: any HostReader) {
        self.environment = environment
        self.files = files
        self.host = host
    }

    /// A value after its references are replaced.
    struct Resolved {
        var text = ""
        /// The references in it, without defaults, which may be secret.
        var names: [String] = []
        var hasReferences: Bool { !names.isEmpty }
        /// The first files that every user of the machine can read, with the ordinal of their reference.
        var exposedFiles: [(path: String, ordinal: Int)] = []
    }

    /// Why a reference could not be replaced.
    struct Failure: Error {
        let code: ErrorCode
        let ordinal: Int
        let message: String
        let suggestion: String?
    }

    mutating func resolve(_ text: String) throws(Failure) -> Resolved {
        var resolved = Resolved()
        for segment in try segments(of: text) {
            switch segment {
            case .literal(let literal): resolved.text += literal
            case .reference(let reference, let ordinal):
                resolved.names.append(reference.name)
                try append(reference, ordinal, to: &resolved)
            }
        }
        return resolved
    }

    private func segments(of text: String) throws(Failure) -> [ReferenceSegment] {
        do {
            return try ReferenceParser.segments(of: text)
        } catch {
            throw Failure(
                code: .malformedReference, ordinal: error.ordinal, message: error.message, suggestion: error.suggestion)
        }
    }

    private mutating func append(
        _ reference: Reference, _ ordinal: Int, to resolved: inout Resolved
    ) throws(Failure) {
        let value: String
        switch reference {
        case .variable(let name, let fallback): value = try variable(name, fallback, ordinal)
        case .file(let path): value = try text(of: path, ordinal, &resolved)
        case .credential(let name):
            value = try text(of: credential(name, ordinal), ordinal, &resolved, absent: missing(name, ordinal))
        case .host(let fact): value = try text(of: fact, ordinal)
        }
        budget -= min(budget, value.utf8.count)
        guard budget > 0 else {
            throw Failure(
                code: .unusableReferenceFile, ordinal: ordinal, message: "references bring in more than 4 MiB in all",
                suggestion: nil)
        }
        resolved.text += value
    }

    private func variable(_ name: String, _ fallback: String?, _ ordinal: Int) throws(Failure) -> String {
        let value = environment.value(of: name)
        if let fallback { return value.flatMap { $0.isEmpty ? nil : $0 } ?? fallback }
        guard let value else {
            throw Failure(
                code: .missingVariable, ordinal: ordinal,
                message: "the environment variable \(Shown.text(name)) is not set",
                suggestion: "set it, or write a default: ${env:\(name):-default}")
        }
        return value
    }

    private func text(
        of path: String, _ ordinal: Int, _ resolved: inout Resolved, absent: Failure? = nil
    ) throws(Failure) -> String {
        let contents = try read(path, ordinal, absent)
        let text = try Self.text(of: contents, path, ordinal)
        let isKnown = resolved.exposedFiles.contains { $0.path == path } || resolved.exposedFiles.count >= 10
        if contents.permissions & 0o004 != 0, !isKnown { resolved.exposedFiles.append((path, ordinal)) }
        return text
    }

    /// The path of a credential, systemd.exec(5).
    private func credential(_ name: String, _ ordinal: Int) throws(Failure) -> String {
        guard let directory = environment.value(of: Self.credentials), directory.hasPrefix("/") else {
            throw Failure(
                code: .missingCredential, ordinal: ordinal,
                message: "there are no credentials: the environment variable \(Self.credentials) is not set",
                suggestion: "only the service manager sets it: see LoadCredential= in systemd.exec(5)")
        }
        return "\(directory)/\(name)"
    }

    private func missing(_ name: String, _ ordinal: Int) -> Failure {
        Failure(
            code: .missingCredential, ordinal: ordinal, message: "there is no credential \(Shown.text(name))",
            suggestion: "add LoadCredential=\(name):/path to the unit, and start it again")
    }

    private func text(of fact: HostFact, _ ordinal: Int) throws(Failure) -> String {
        let value =
            switch fact {
            case .name: host.name
            case .machineID: host.machineID
            case .operatingSystem: host.operatingSystem
            }
        guard let value else {
            let missing =
                switch fact {
                case .name: "name"
                case .machineID: "machine-id in /etc/machine-id"
                case .operatingSystem: "/etc/os-release"
                }
            throw Failure(
                code: .missingHostFact, ordinal: ordinal, message: "this host has no \(missing)", suggestion: nil)
        }
        return value
    }

    private func read(_ path: String, _ ordinal: Int, _ absent: Failure?) throws(Failure) -> FileContents {
        do {
            return try files.read(path, limit: Self.fileLimit)
        } catch {
            if case .notFound = error, let absent { throw absent }
            throw Failure(
                code: .unusableReferenceFile, ordinal: ordinal,
                message: "cannot read \(Shown.text(path)): \(error.reason)", suggestion: nil)
        }
    }

    private static func text(of contents: FileContents, _ path: String, _ ordinal: Int) throws(Failure) -> String {
        var bytes = contents.bytes[...]
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r"), bytes.count < contents.bytes.count { bytes.removeLast() }
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(
                code: .unusableReferenceFile, ordinal: ordinal, message: "\(Shown.text(path)) does not hold UTF-8 text",
                suggestion: nil)
        }
        return text
    }
}
