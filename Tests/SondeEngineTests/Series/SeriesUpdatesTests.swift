import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

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
