internal import Glibc
internal import SondeDomain
internal import SondeFormats
internal import SondePluginKit

/// A durable sink that appends lines to a file, or replaces it with a page of the newest values.
///
/// One batch is one write. A batch is in the file whole or not at all; `sync` defines what counts as delivered.
final class FileSink: ProbingSink {
    private let host: PluginHost
    private let settings: FileConfiguration
    /// Nil: the file is a page.
    private var encoder: (any BatchEncoder)?
    private var page = PrometheusPage()
    private var buffer = ByteBuffer()
    private var log: RotatingLog?
    private var hasNotedDocuments = false

    /// What a buffer may keep between batches: one huge batch must not hold memory permanently.
    private static let keptCapacity = 1 << 20

    init(host: PluginHost) throws(PluginError) {
        self.host = host
        settings = try FileConfiguration(host.options)
        encoder = settings.format.lines?.makeEncoder()
    }

    func start() throws(PluginError) {
        if encoder != nil { _ = try openLog() }
    }

    func probe(_ call: PluginCall) throws(PluginError) {
        var status = stat()
        guard stat(settings.path, &status) == 0 else {
            guard errno == ENOENT else { throw .system("look at", settings.path, errno) }
            return try check(FilePath.split(settings.path).directory, W_OK | X_OK, "create a file in")
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(settings.path, status.st_mode) }
        try check(settings.path, R_OK | W_OK, "open")
    }

    private func check(_ path: String, _ mode: Int32, _ action: String) throws(PluginError) {
        guard faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0 else { throw .system(action, path, errno) }
    }

    func deliver(_ batch: Batch, _ call: PluginCall) throws(PluginError) -> Delivery {
        buffer.removeAll()
        defer { if buffer.bytes.capacity > Self.keptCapacity { buffer = ByteBuffer() } }
        guard let report = encoder?.encode(batch, into: &buffer) else { return try replacePage(batch) }
        let log = try openLog()
        noteDocuments(report.documentsLeftOut)
        if buffer.count > 0 {
            try append(to: log)
        }
        if call.isFinal { log.close() }
        log.compress(afterWriting: buffer.count)
        return delivery(leftOut: report.leftOut)
    }

    private func replacePage(_ batch: Batch) throws(PluginError) -> Delivery {
        noteDocuments(batch.documents.count)
        let leftOut = page.take(batch, at: host.monotonicTime)
        page.write(into: &buffer)
        try PageFile(settings).replace(with: buffer.bytes)
        return delivery(leftOut: leftOut)
    }

    private func append(to log: RotatingLog) throws(PluginError) {
        do throws(PluginError) {
            try log.append(buffer.bytes)
        } catch {
            if !log.isUsable { self.log = nil }
            throw error
        }
    }

    private func openLog() throws(PluginError) -> RotatingLog {
        if let log { return log }
        let opened = try RotatingLog(settings, host)
        log = opened
        return opened
    }

    private func delivery(leftOut: Int) -> Delivery {
        guard leftOut > 0 else { return .complete }
        return Delivery(
            rejectedPoints: UInt64(leftOut),
            message: "points that the format \(settings.format.rawValue) cannot say"
        )
    }

    private func noteDocuments(_ count: Int) {
        guard count > 0, !hasNotedDocuments else { return }
        hasNotedDocuments = true
        host.log(
            .warning,
            "snapshots are left out: the format \(settings.format.rawValue) has no place for them; use format: json"
        )
    }
}
