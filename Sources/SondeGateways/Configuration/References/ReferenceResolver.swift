import SondeDomain
import SondeEngine

/// Replaces the references in a value.
///
/// It works on parsed values: what a variable or a file holds is never read as YAML.
struct ReferenceResolver {
    private static let fileLimit = 64 << 10

    let environment: any EnvironmentReader
    let files: any FileReader
    /// How many bytes references may still add, over the whole configuration.
    private var budget = 4 << 20

    init(environment: any EnvironmentReader, files: any FileReader) {
        self.environment = environment
        self.files = files
    }

    /// A value after its references are replaced.
    struct Resolved {
        var text = ""
        var hasReferences = false
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
                resolved.hasReferences = true
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
        case .file(let path):
            let contents = try read(path, ordinal)
            value = try Self.text(of: contents, path, ordinal)
            let isKnown = resolved.exposedFiles.contains { $0.path == path } || resolved.exposedFiles.count >= 10
            if contents.permissions & 0o004 != 0, !isKnown { resolved.exposedFiles.append((path, ordinal)) }
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

    private func read(_ path: String, _ ordinal: Int) throws(Failure) -> FileContents {
        do {
            return try files.read(path, limit: Self.fileLimit)
        } catch {
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
