internal import Glibc
internal import SondeDomain
internal import SondePluginKit

/// Compresses rotated files, one at a time and a little per delivery, so that a large one never holds up the next batch.
final class Compressor {
    /// The log's path; rotated files are beside it.
    let path: String
    /// Whether there may be a rotated file to compress.
    var hasWork: Bool

    private let files: RotatedFiles
    private let host: PluginHost
    private let isSynced: Bool
    // A disk that stays full would be reported at every rotation.
    private var hasReportedFailure = false
    private var job: GzipJob?

    /// What one delivery may take at least, and how long.
    private static let bytesPerStep = 1 << 20
    private static let timePerStep = Nanoseconds.milliseconds(20)

    /// Cleans up what a crash left behind.
    init(_ settings: FileConfiguration, _ host: PluginHost, path: String) {
        self.path = path
        self.host = host
        files = RotatedFiles(path: path, keep: max(1, settings.rotation.keep))
        isSynced = settings.sync != .none
        hasWork = settings.rotation.compression == .gzip
        files.recover()
    }

    /// Continues for 20 ms at most; after a large batch by more bytes, so that compression keeps up with delivery.
    func step(afterWriting count: Int) {
        guard hasWork else { return }
        do throws(PluginError) {
            guard let job = try currentJob() else { return }
            try work(on: job, bytes: max(Self.bytesPerStep, min(count, 1 << 30) * 2))
        } catch {
            abandon()
            hasWork = false
            host.log(
                hasReportedFailure ? .debug : .warning,
                "SND-FIL031: compression failed, the rotated file stays as it is until the next rotation: "
                    + error.message
            )
            hasReportedFailure = true
        }
    }

    /// The slots moved: so did the file in progress, or it is gone.
    func follow(_ shift: RotatedFiles.Shift) {
        guard let job else { return }
        if job.slot < shift.gap {
            job.slot += 1
        } else if job.slot == shift.gap, shift.hasRemovedOldest {
            abandon()
        }
    }

    /// Abandons a compression in progress; it is started again later.
    func abandon() {
        guard job != nil else { return }
        job = nil
        unlink(files.temporary)
    }

    private func currentJob() throws(PluginError) -> GzipJob? {
        if let job { return job }
        guard let slot = files.oldestPlain() else {
            hasWork = false
            return nil
        }
        let new = try GzipJob(slot: slot, from: files.plain(slot), to: files.temporary)
        job = new
        return new
    }

    private func work(on job: GzipJob, bytes: Int) throws(PluginError) {
        let end = host.monotonicTime.advanced(by: Self.timePerStep)
        var left = bytes
        repeat {
            let count = try job.step()
            if job.isComplete { return try finish(job) }
            left -= count
        } while left > 0 && host.monotonicTime < end
    }

    /// The compressed file gets its name only when it is whole; the original goes only after that.
    private func finish(_ job: GzipJob) throws(PluginError) {
        try job.close(sync: isSynced)
        let original = files.plain(job.slot)
        guard FileIdentity(at: original) == job.identity else {
            return abandon()
        }
        guard rename(files.temporary, files.compressed(job.slot)) == 0 else {
            throw .system("rename", files.temporary, errno)
        }
        if isSynced { Directory.sync(containing: path) }
        unlink(original)
        self.job = nil
        hasReportedFailure = false
    }
}
