import SondeDomain
import SondeEngine
import SondeTestKit

/// A log that forwards to a log in memory, except for what it overrides.
protocol ForwardingSpool: SpoolStore {
    var log: MemorySpool { get }
}

extension ForwardingSpool {
    var epoch: String { log.epoch }
    var isSafe: Bool { log.isSafe }
    var resource: Resource {
        get { log.resource }
        set { log.resource = newValue }
    }
    var isSettled: Bool { log.isSettled }

    func addReader(_ sink: String, _ kind: ReaderKind, wants: SendContent) {
        log.addReader(sink, kind, wants: wants)
    }

    func removeReader(_ sink: String) { log.removeReader(sink) }

    func append(
        _ points: [SpooledPoint],
        documents: [Document],
        checkpoint: SpoolCheckpoint?,
        at time: MonotonicInstant
    ) -> (AppendResult, [OverflowLoss]) {
        log.append(points, documents: documents, checkpoint: checkpoint, at: time)
    }

    func backlog(of sink: String) -> Backlog { log.backlog(of: sink) }

    func cut(for sink: String, maxCount: Int, maxBytes: Int64) -> Stretch? {
        log.cut(for: sink, maxCount: maxCount, maxBytes: maxBytes)
    }

    func shorten(for sink: String, to count: Int) -> Stretch? { log.shorten(for: sink, to: count) }

    func read(_ stretch: Stretch, for sink: String) -> SpoolContents {
        log.read(stretch, for: sink)
    }

    func acknowledge(_ stretch: Stretch, for sink: String) { log.acknowledge(stretch, for: sink) }
}
