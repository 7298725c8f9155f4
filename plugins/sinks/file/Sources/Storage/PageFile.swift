internal import Glibc
internal import SondePluginKit

/// A file that is replaced as a whole: a reader finds the old page or the new one, never a part.
struct PageFile {
    private let settings: FileConfiguration

    init(_ settings: FileConfiguration) {
        self.settings = settings
    }

    /// Writes a page beside the file and gives it the file's name.
    ///
    /// The draft's name ends in `.tmp`, which the textfile collector does not read.
    func replace(with bytes: [UInt8]) throws(PluginError) {
        let path = try FilePath.resolved(settings.path)
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { throw .notRegular(path, status.st_mode) }
        let draft = "\(path).tmp"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system("create", draft, errno) }
        defer { close(descriptor) }
        do throws(PluginError) {
            try write(bytes, to: descriptor, draft)
            guard rename(draft, path) == 0 else { throw .system("rename", draft, errno) }
        } catch {
            unlink(draft)
            throw error
        }
        if settings.sync == .batch { Directory.sync(containing: path) }
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32, _ draft: String) throws(PluginError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count == 0 || errno != EINTR {
                throw .system("write to", draft, count == 0 ? EIO : errno)
            }
        }
        guard fchmod(descriptor, settings.mode) == 0 else { throw .system("change the mode of", draft, errno) }
        guard settings.sync == .none || fdatasync(descriptor) == 0 else { throw .system("sync", draft, errno) }
    }
}
