import SondeDomain
import SondeEngine
import SondeTestKit

/// Dead letters in memory.
final class MemoryArchive: DeadLetterArchive {
    private(set) var letters: [(name: String, batch: Batch)] = []
    private(set) var refusals: [(name: String, code: String)] = []

    init(_ batches: [Batch] = []) {
        letters = batches.map { ("\($0.identity.first)", $0) }
    }

    func keep(_ batch: Batch, because error: SondeError, at time: Timestamp) -> Bool {
        letters.append(("\(batch.identity.first)", batch))
        return true
    }

    var names: [String] { letters.map(\.name) }

    func heading(of name: String) -> DeadLetterHeading? {
        guard let batch = letters.first(where: { $0.name == name })?.batch else { return nil }
        let times = batch.entries.map(\.point.time)
        return DeadLetterHeading(
            sink: batch.sink, batch: batch.identity.text, time: nil, code: "SND-TST001",
            failureClass: "permanent_data", message: "refused", points: UInt64(batch.entries.count), documents: 0,
            from: times.min(), to: times.max())
    }

    func load(_ name: String) throws(SondeError) -> Batch {
        guard let batch = letters.first(where: { $0.name == name })?.batch else {
            throw SondeError(.deadLetterMissing, stage: .control, class: .permanentData, message: "gone")
        }
        return batch
    }

    func noteRefusal(_ name: String, because error: SondeError, at time: Timestamp) {
        refusals.append((name, error.code.text))
    }

    func remove(_ name: String) -> Bool {
        guard let index = letters.firstIndex(where: { $0.name == name }) else { return false }
        letters.remove(at: index)
        return true
    }
}

extension Batch {
    /// A batch of numbered points that was refused, of numbers far from those of a bench.
    static func refused(_ numbers: ClosedRange<UInt64>) -> Batch {
        let points = numbers.map { SpooledPoint.numbered($0) }
        return Batch(
            identity: BatchIdentity(
                agent: "agent", epoch: "epoch", first: numbers.lowerBound, last: numbers.upperBound),
            sink: "sink",
            series: points.first.map { [$0.series] } ?? [],
            entries: points.map {
                Entry(
                    seriesIndex: 0,
                    point: MetricPoint(series: $0.series.id, time: $0.time, start: nil, value: $0.value))
            }
        )
    }
}
