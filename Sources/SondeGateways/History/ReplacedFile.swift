internal import Glibc
public import SondeDomain

/// A file that is written under another name first, so that a reader finds the old one or the whole new one.
public final class ReplacedFile {
    // As many as Linux follows, path_resolution(7).
    private static let linkBound = 40

    private let path: String
    private let draft: String
    private let descriptor: OwnedDescriptor

    /// Begins a file that is to be at `path`, or where a symbolic link there leads.
    ///
    /// One that is there already keeps its mode: what only its owner may read stays so.
    public init(path: String) throws(SondeError) {
        let path = try Self.followed(path)
        self.path = path
        draft = "\(path).partial-\(getpid())"
        var status = stat()
        let isThere = stat(path, &status) == 0
        if isThere, status.st_mode & S_IFMT != S_IFREG {
            // Also a device: giving a file its name would take the device away.
            let kind = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "no file"
            throw Self.failure(path, "it is \(kind)")
        }
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isThere ? 0o600 : 0o644)
        guard descriptor >= 0 else { throw Self.failure(path, String(cString: strerror(errno))) }
        self.descriptor = try OwnedDescriptor(descriptor, of: "open")
        guard isThere else { return }
        // A user who may not chown it stays its owner; the mode is set last, since fchown may change it.
        _ = fchown(descriptor, status.st_uid, status.st_gid)
        guard fchmod(descriptor, status.st_mode & 0o777) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(draft)
            throw Self.failure(path, reason)
        }
    }

    /// What the last of a row of links leads to, which may not exist yet; the path itself where it is no link.
    private static func followed(_ path: String) throws(SondeError) -> String {
        var place = path
        for _ in 0..<linkBound {
            guard let target = target(of: place) else { return place }
            let directory = place.lastIndex(of: "/").map { String(place[...$0]) } ?? ""
            place = target.hasPrefix("/") ? target : directory + target
        }
        throw failure(path, String(cString: strerror(ELOOP)))
    }

    private static func target(of link: String) -> String? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &target, target.count)
        return count > 0 ? String(decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    /// Appends bytes.
    public func append(_ bytes: [UInt8]) throws(SondeError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor.raw, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure(path, String(cString: strerror(errno))) }
            rest = rest.dropFirst(count)
        }
    }

    /// Gives the file its name.
    public func finish() throws(SondeError) {
        guard fsync(descriptor.raw) == 0, rename(draft, path) == 0 else {
            throw Self.failure(path, String(cString: strerror(errno)))
        }
    }

    /// Leaves nothing behind.
    public func abandon() {
        unlink(draft)
    }

    private static func failure(_ path: String, _ reason: String) -> SondeError {
        let advice = ErrorDefinition.history.first { $0.code == .historyExportFailed }?.recovery
        return SondeError(
            .historyExportFailed, stage: .history, class: .resource,
            message: "'\(path)' cannot be written: \(reason)", recovery: advice.map { [.advise($0)] } ?? [])
    }
}
