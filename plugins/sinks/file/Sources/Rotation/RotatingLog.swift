internal import Glibc
internal import SondeDomain
internal import SondePluginKit

/// The file that is written now, with what was rotated away from it.
final class RotatingLog {
    private let settings: FileConfiguration
    private let host: PluginHost
    private var file: AppendFile
    /// When the first batch went into ``file``; nil while it is empty or when unknown.
    private var startedAt: Timestamp?
    private var compressor: Compressor
    private var nextRotation: MonotonicInstant?
    /// Whether the open file may be written to again after what happened to it.
    private(set) var isUsable = true

    /// How long to wait after a failed rotation.
    private static let rotationPause = Nanoseconds.seconds(60)

    init(_ settings: FileConfiguration, _ host: PluginHost) throws(PluginError) {
        self.settings = settings
        self.host = host
        file = try AppendFile.open(settings)
        compressor = Compressor(settings, host, path: file.path)
        adopt()
    }

    private var files: RotatedFiles { RotatedFiles(path: file.path, keep: max(1, settings.rotation.keep)) }

    /// Appends a batch, to a new file when the present one is full or old.
    func append(_ bytes: [UInt8]) throws(PluginError) {
        try reopenIfReplaced()
        do throws(PluginError) {
            try rotateIfDue(try file.settle(), appending: bytes.count)
            let isFirst = file.length == 0
            try file.append(bytes, sync: settings.sync)
            if isFirst { startedAt = host.wallTime }
        } catch {
            // A full disk leaves the file as it was. After anything else the kernel's view of it is unreliable.
            isUsable = error.failureClass == .resource
            throw error
        }
    }

    /// Compresses a part of what was rotated away.
    func compress(afterWriting count: Int) {
        compressor.step(afterWriting: count)
    }

    /// Brings the file to the disk before the agent stops, when only a rotation would have.
    func close() {
        guard settings.sync == .rotate else { return }
        do throws(PluginError) {
            try file.flush()
        } catch {
            // The batch is in the file: failing the delivery now would put it there twice.
            host.log(.warning, "\(error.code): \(error.message)")
        }
    }

    /// The file may have been moved, deleted or replaced since the last batch.
    private func reopenIfReplaced() throws(PluginError) {
        // Both names, because the directory or a link on the way may have changed as well.
        guard FileIdentity(at: settings.path) != file.identity || FileIdentity(at: file.path) != file.identity else {
            return
        }
        file.unlock()
        do throws(PluginError) {
            file = try AppendFile.open(settings)
        } catch {
            isUsable = false
            throw error
        }
        host.log(.info, "'\(settings.path)' was moved or removed; a new file was opened")
        adopt()
    }

    /// Looks at a file that was just opened.
    private func adopt() {
        if compressor.path != file.path { compressor = Compressor(settings, host, path: file.path) }
        let cut = file.cutTornLine()
        if cut > 0 {
            host.log(.warning, "cut a torn last line of \(cut) bytes from '\(file.path)'; its batch comes again")
        }
        startedAt = file.length > 0 ? file.birthTime ?? file.modificationTime : nil
    }

    private func rotateIfDue(_ length: Int64, appending count: Int) throws(PluginError) {
        let policy = settings.rotation
        guard policy.isDue(length: length, startedAt: startedAt, appending: count, now: host.wallTime) else { return }
        if let nextRotation, host.monotonicTime < nextRotation { return }
        do throws(PluginError) {
            if settings.sync != .none { try file.flush() }
            try moveAway()
            nextRotation = nil
        } catch {
            // A file that grows too large is better than samples that wait.
            nextRotation = host.monotonicTime.advanced(by: Self.rotationPause)
            host.log(.warning, "SND-FIL030: rotation of '\(file.path)' failed, it is still written: \(error.message)")
            return
        }
        file = try AppendFile.open(settings)
        adopt()
    }

    private func moveAway() throws(PluginError) {
        do throws(PluginError) {
            compressor.follow(try files.makeRoom())
        } catch {
            compressor.abandon()
            throw error
        }
        guard rename(file.path, files.plain(1)) == 0 else { throw .system("rename", file.path, errno) }
        if settings.sync != .none { Directory.sync(containing: file.path) }
        compressor.hasWork = settings.rotation.compression == .gzip
    }
}
