internal import SondeDomain
internal import SondeFormats
internal import SondePluginKit

/// A durable sink that appends lines to a file.
///
/// One batch is one write. A batch is in the file whole or not at all; what counts as delivered is `sync`'s business.
final class FileSink: Sink {
    private let host: PluginHost
    private let settings: FileSettings
    private var encoder: any BatchEncoder
    private var buffer = ByteBuffer()
    private var log: RotatingLog?
    private var hasNotedDocuments = false

    /// What a buffer may keep between batches: one huge batch must not hold memory for good.
    private static let keptCapacity = 1 << 20

    init(host: PluginHost) throws(PluginError) {
        self.host = host
        settings = try FileSettings(host.options)
        encoder = settings.format.makeEncoder()
    }

    func start() throws(PluginError) {
        _ = try openLog()
    }

    func deliver(_ batch: Batch, _ call: PluginCall) throws(PluginError) -> Delivery {
        let log = try openLog()
        buffer.removeAll()
        let report = encoder.encode(batch, into: &buffer)
        noteDocuments(report.documentsLeftOut)
        if buffer.count > 0 {
            try append(to: log)
        }
        if call.isFinal { log.close() }
        log.compress(afterWriting: buffer.count)
        if buffer.bytes.capacity > Self.keptCapacity { buffer = ByteBuffer() }
        return delivery(of: report)
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

    private func delivery(of report: EncodingReport) -> Delivery {
        guard report.leftOut > 0 else { return .complete }
        return Delivery(
            rejectedPoints: UInt64(report.leftOut),
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
