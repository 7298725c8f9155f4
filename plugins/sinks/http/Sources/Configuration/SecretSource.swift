internal import Glibc
internal import SondeDomain
internal import SondePluginKit

/// Where a secret comes from: the configuration, or a file that is read again when it changes.
enum SecretSource: Hashable, Sendable {
    /// What an option holds.
    case text(Secret)
    /// The path of a file whose content, without the line feed at its end, is the secret; `option` names it.
    case file(String, option: String)

    /// Reads `option` or `option` with `_file`; nil: neither is set.
    init?(_ option: String, _ options: Options) throws(PluginError) {
        switch (options.string(option), options.string(option + "_file")) {
        case (nil, nil): return nil
        case (let text?, nil): self = .text(Secret(text))
        case (nil, let path?): self = .file(path, option: option + "_file")
        default:
            throw .refused(
                .credentials, "\(option) is set beside \(option)_file", hint: "Keep one of the two.",
                option: "\(option)_file")
        }
    }

    /// The secret of the configuration; nil: it is in a file.
    var text: Secret? {
        if case .text(let secret) = self { secret } else { nil }
    }
}

/// The contents of files with secrets; a file that has changed is read again.
///
/// Used from the instance's thread only.
struct SecretFiles {
    private struct Stamp: Hashable {
        let device: UInt
        let inode: UInt
        let size: Int
        let seconds: Int
        let nanoseconds: Int

        init(_ status: stat) {
            (device, inode, size) = (UInt(status.st_dev), UInt(status.st_ino), Int(status.st_size))
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
    }

    private static let longest = 64 << 10

    private var known: [String: (stamp: Stamp, secret: Secret)] = [:]

    /// The secret of a source; a file that cannot be read any more keeps what was read last.
    mutating func secret(_ source: SecretSource) throws(PluginError) -> Secret {
        guard case .file(let path, let option) = source else { return source.text ?? Secret("") }
        do throws(RegularFile.Fault) {
            return try read(path)
        } catch {
            if let known = known[path] { return known.secret }
            throw .refused(
                .credentials, "\(option) '\(ForeignText.line(path, limit: 256))': \(error.text)",
                hint: "Check the path, and that the agent's user may read the file.", option: option)
        }
    }

    private mutating func read(_ path: String) throws(RegularFile.Fault) -> Secret {
        let file = try RegularFile(path)
        let stamp = Stamp(file.status)
        if let known = known[path], known.stamp == stamp { return known.secret }
        var text = try file.bytes(limit: Self.longest)
        while text.last == 0x0a || text.last == 0x0d { text.removeLast() }
        guard !text.isEmpty else { throw RegularFile.Fault(text: "empty") }
        let secret = Secret(String(decoding: text, as: UTF8.self))
        known[path] = (stamp, secret)
        return secret
    }
}
