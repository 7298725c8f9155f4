import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

@Suite struct SeriesUpdatesTests {
    private let bench = PipelineBench()
    private let updates = SeriesUpdates()
    private let wakeup = RecordingWakeup()

    private func commit(_ channel: SourceChannel, _ count: Int) {
        let samples = (0..<count).map { index in
            let handle = channel.openSeries(
                SeriesSpecification(name: "m", kind: .gauge, unit: "1", attributes: [Attribute("n", "\(index)")]))
            return Sample(series: handle, time: nil, value: .double(Double(index)))
        }
        #expect(channel.commit(samples, checkpoint: nil, rejections: []) == .taken)
    }

    private func take(_ limit: Int) -> [Double?]? {
        guard case .points(let points) = updates.take(atMost: limit) else { return nil }
        return points.map { $0.value.asDouble }
    }

    @Test func whatIsCommittedWhileNobodyWatchesIsNotKept() {
        let channel = bench.channel(updates: updates)
        commit(channel, 3)
        updates.begin(wakeup)
        #expect(take(10) == nil)
        commit(channel, 2)
        updates.end()
        commit(channel, 2)
        updates.begin(wakeup)
        #expect(take(10) == nil)
        #expect(wakeup.instants.count == 1)
    }

    @Test func pointsAndEndsComeInTheirOrderAndInPieces() {
        let channel = bench.channel(updates: updates)
        updates.begin(wakeup)
        commit(channel, 3)
        commit(channel, 1)
        channel.endAllSeries()
        #expect(wakeup.instants.count == 1)
        #expect(take(2) == [0, 1])
        #expect(take(2) == [2])
        #expect(take(2) == [0])
        #expect(take(5) == [nil, nil, nil])
        #expect(take(5) == nil)
        // Once for each piece that left others behind.
        #expect(wakeup.instants.count == 4)
    }

    @Test func aRefusedCommitThatIsRepeatedIsShownOnceItIsTaken() throws {
        let bench = PipelineBench(maxBytes: 2_000, overflow: .dropNewest)
        let stream = bench.channel(updates: updates)
        stream.holdWhatIsRefused()
        let handles = ["a", "b"].map { stream.openSeries(SeriesSpecification(name: $0, kind: .gauge, unit: "1")) }
        func commit(_ value: Double) -> CommitResult {
            stream.commit([Sample(series: handles[0], value: .double(value))], checkpoint: nil, rejections: [])
        }
        _ = stream.commit([Sample(series: handles[1], value: .double(0))], checkpoint: nil, rejections: [])
        while commit(1) == .taken {}
        updates.begin(wakeup)
        stream.closeSeries(handles[1])
        #expect(commit(2) == .busy)
        #expect(take(10) == nil)
        let stretch = try #require(bench.spool.cut(for: "sink", maxCount: .max, maxBytes: .max))
        bench.spool.acknowledge(stretch, for: "sink")
        #expect(commit(2) == .taken)
        #expect(take(10) == [2, nil])
        #expect(take(10) == nil)
    }

    @Test func whatIsLostIsShownAndAnEndOnceItIsTaken() throws {
        let bench = PipelineBench(maxBytes: 2_000, overflow: .dropNewest)
        let channel = bench.channel(updates: updates)
        let handle = channel.openSeries(SeriesSpecification(name: "a", kind: .gauge, unit: "1"))
        let other = channel.openSeries(SeriesSpecification(name: "b", kind: .gauge, unit: "1"))
        while bench.ledger.count(component: "kernel", reason: "spool_full") == 0 {
            _ = channel.commit(
                [handle, other].map { Sample(series: $0, value: .double(1)) }, checkpoint: nil, rejections: [])
        }
        updates.begin(wakeup)
        channel.closeSeries(other)
        for _ in 0..<2 {
            _ = channel.commit([Sample(series: handle, value: .double(2))], checkpoint: nil, rejections: [])
            #expect(take(10) == [2])
        }
        let stretch = try #require(bench.spool.cut(for: "sink", maxCount: .max, maxBytes: .max))
        bench.spool.acknowledge(stretch, for: "sink")
        _ = channel.commit([], checkpoint: nil, rejections: [])
        #expect(take(10) == [nil])
    }

    @Test func whoTakesTooLittleBeginsAnew() {
        let channel = bench.channel(updates: updates)
        updates.begin(wakeup)
        for _ in 0..<3 { commit(channel, 40_000) }
        guard case .restart(.lagged) = updates.take(atMost: 10) else {
            Issue.record("the reader was not told to begin anew")
            return
        }
        #expect(take(10) == nil)
        commit(channel, 1)
        #expect(take(10) == [0])
    }

    @Test func aReloadHasTheReaderBeginAnew() {
        updates.restart(.reload)
        #expect(take(1) == nil)
        updates.begin(wakeup)
        updates.restart(.reload)
        #expect(wakeup.instants.count == 1)
        guard case .restart(.reload) = updates.take(atMost: 10) else {
            Issue.record("the reader was not told to begin anew")
            return
        }
    }
}
