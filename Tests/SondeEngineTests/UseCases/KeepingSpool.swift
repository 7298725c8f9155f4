import SondeDomain
import SondeEngine
import Synchronization

/// A log that keeps what was delivered, ten numbers in a segment, until a segment is forgotten; as one on disk does.
final class KeepingSpool: ForwardingSpool {
    private struct Kept {
        var points: [SpooledPoint] = []
        var resources: [Resource] = []
        var next: UInt64 = 1
        /// How many segments are gone, and how many go with the next read.
        var forgotten = 0
        var forgottenAtRead = 0
    }

    private static let segmentLength: UInt64 = 10

    let log = MemorySpool(epoch: "epoch", maxBytes: 64 << 20, overflow: .dropOldest)
    private let kept = Mutex(Kept())

    /// Forgets the oldest segments.
    func forget(_ segments: Int) {
        kept.withLock { $0.forgotten += segments }
    }

    /// Forgets the oldest segments while the next stretch is read.
    func forgetAtRead(_ segments: Int) {
        kept.withLock { $0.forgottenAtRead += segments }
    }

    func usage() -> SpoolUsage? {
        kept.withLock { kept in
            let end = UInt64(kept.points.count)
            let firsts = stride(from: 1, through: end, by: Int(Self.segmentLength)).dropFirst(kept.forgotten)
            return SpoolUsage(
                bytes: 0, maxBytes: 0, quarantineBytes: 0,
                segments: firsts.map { first in
                    SpoolUsage.Segment(
                        first: first, stretch: Stretch(first: first, last: min(end, first + Self.segmentLength - 1)),
                        points: 0, bytes: 0, created: Timestamp(seconds: 0), oldest: nil, newest: nil, isActive: false)
                },
                sinks: [
                    .init(
                        id: "sink", kind: .durable, next: kept.next, stretch: nil, waiting: 0, bytes: 0, oldest: nil)
                ])
        }
    }

    func append(
        _ points: [SpooledPoint],
        documents: [Document],
        checkpoint: SpoolCheckpoint?,
        at time: MonotonicInstant
    ) -> (AppendResult, [OverflowLoss]) {
        kept.withLock { kept in
            kept.points += points
            kept.resources += points.map { _ in log.resource }
        }
        return log.append(points, documents: documents, checkpoint: checkpoint, at: time)
    }

    func read(_ stretch: Stretch, for sink: String) -> SpoolContents {
        kept.withLock { kept in
            guard stretch.last < kept.next else { return log.read(stretch, for: sink) }
            kept.forgotten += kept.forgottenAtRead
            let range = Int(stretch.first - 1)..<Int(stretch.last)
            let resource = kept.resources[range.lowerBound]
            let end = kept.resources[range].firstIndex { $0 != resource } ?? range.upperBound
            return SpoolContents(
                resource: resource, last: UInt64(end), points: Array(kept.points[range.lowerBound..<end]))
        }
    }

    func acknowledge(_ stretch: Stretch, for sink: String) {
        kept.withLock { $0.next = stretch.last + 1 }
        log.acknowledge(stretch, for: sink)
    }
}
