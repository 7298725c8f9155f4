import SondeDomain
import SondeTestKit
import Synchronization
import Testing

@testable import SondeEngine

/// Ends of the agent's series, for a sink that is sent none.
@Suite struct NewestHealthTests {
    private static let up = Self.series(1, "sonde.sink.up")
    private static let gone = Self.series(2, "sonde.source.up")

    private static func series(_ number: UInt64, _ name: String) -> Series {
        Series(id: SeriesID(rawValue: number), source: "agent", name: name, kind: .gauge, unit: "")
    }

    private final class Report: Sendable {
        let contents = Mutex(SpoolContents(resource: Resource(), last: 0))

        func set(_ series: [Series], at seconds: Int64, host: String = "h") {
            let time = Timestamp(seconds: seconds)
            let points = series.map { SpooledPoint(series: $0, time: time, start: nil, value: .unsigned(1)) }
            let newest = SpoolContents(resource: Resource(host: host), last: 0, points: SpooledPoints(points))
            contents.withLock { $0 = newest }
        }
    }

    private let report = Report()
    private let sent = SentHealth()

    private func newest(samples: Int) -> NewestHealth {
        let report = report
        return NewestHealth(
            DeliverBatches.Settings(.fake(samples: samples)), agent: "agent", for: FakeSinkInstance(), sent: sent
        ) { (report.contents.withLock { $0 }, .seconds(10)) }
    }

    /// Sends the reports that are due to a receiver that accepts everything.
    private func send(_ newest: inout NewestHealth, at seconds: Int64) -> [Batch] {
        var batches: [Batch] = []
        let now = MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
        for _ in 0..<3 {
            guard newest.begin(at: now, .regular) else { break }
            while let batch = newest.batch(besides: "epoch") {
                batches.append(batch)
                newest.isDelivered()
            }
        }
        return batches
    }

    @Test func underOtherLabelsSeriesAreSentWithoutTheEndsOfThoseBefore() {
        var newest = newest(samples: 20)
        report.set([Self.up], at: 1)
        let before = send(&newest, at: 1)
        report.set([Self.up], at: 41, host: "other")
        let after = send(&newest, at: 41)
        #expect((before + after).map(\.resource.host) == ["h", "other"])
        #expect(after.flatMap(\.entries).map(\.point.value) == [.unsigned(1)])
    }

    @Test func aSeriesThatIsNoLongerReportedIsForgotten() {
        var newest = newest(samples: 1)
        report.set([Self.up, Self.gone], at: 1)
        let before = send(&newest, at: 1)
        #expect(before.count == 2)
        #expect(sent["sink"].series.count == 2)
        report.set([Self.up], at: 41)
        let after = send(&newest, at: 41)
        #expect(after.flatMap(\.series).map(\.name) == ["sonde.sink.up"])
        #expect(sent["sink"].series.values.map(\.name) == ["sonde.sink.up"])
    }
}
