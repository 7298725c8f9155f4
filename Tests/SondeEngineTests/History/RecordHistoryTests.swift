import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@Suite struct RecordHistoryTests {
    private let clock = ManualClock()
    private let log = RecordingLog()
    private let store = InMemoryHistoryStore(units: 4)
    private let series = HistorySeries(.bandwidthReceive, source: "kernel")
    private var record: RecordHistory { RecordHistory(store: store, clock: clock, log: log) }

    private func reading(_ series: HistorySeries, _ value: Double = 1) -> HistoryCollector.Reading {
        .init(
            series: series, rank: .standard,
            observation: HistoryObservation(.held(value, peak: nil), at: clock.wallTime, held: .seconds(5)))
    }

    private func all(_ record: RecordHistory) throws -> [HistoryLine] {
        let query = HistoryQuery(range: HistoryRange(.seconds(3_600), before: clock.wallTime), asked: clock.wallTime)
        return try HistoryOf(record)(query, limit: 100).lines
    }

    @Test func commitsAreAMinuteApart() {
        #expect(record.commit().since(clock.monotonicTime) == .seconds(60))
        #expect(store.commits == 0)
    }

    @Test func whatWaitsIsReadLikeWhatIsKept() throws {
        let record = record
        record.take([reading(series, 3)])
        #expect(try all(record).map { $0.points.map(\.value.average) } == [[3]])
        _ = record.commit()
        #expect(store.commits == 1)
        #expect(try all(record).map { $0.points.map(\.value.average) } == [[3]])
        clock.advance(by: .seconds(5))
        record.take([reading(series, 4)])
        #expect(try all(record).map { $0.points.map(\.value.average) } == [[3, 4]])
    }

    @Test func aFailureKeepsWhatWaitsAndIsToldOnceAndItsEnd() throws {
        let record = record
        store.fail(with: .fake(.transient))
        for _ in 0..<5 {
            record.take([reading(series)])
            _ = record.commit()
            clock.advance(by: .seconds(60))
        }
        #expect(record.failures.map(\.count) == [5])
        #expect(log.lines(.error).count == 1)
        store.fail(with: nil)
        record.take([reading(series)])
        _ = record.commit()
        #expect(try all(record).first?.points.count == 6)
        clock.advance(by: .seconds(61))
        _ = record.commit()
        #expect(record.failures.isEmpty)
        #expect(log.lines(.info).count == 1)
    }

    @Test func thatTheHistoryWasSetAsideIsAFailureForAnHour() {
        let record = record
        store.fail(with: .fake(.corruptInput))
        record.take([reading(series)])
        _ = record.commit()
        store.fail(with: nil)
        for _ in 0..<59 {
            clock.advance(by: .seconds(60))
            record.take([reading(series)])
            _ = record.commit()
        }
        #expect(record.failures.map(\.error.failureClass) == [.corruptInput])
        #expect(record.failures.map(\.count) == [1])
        clock.advance(by: .seconds(60))
        #expect(record.failures.isEmpty)
        #expect(log.lines(.error).count == 1)
    }

    @Test func aHistoryThatWasSetAsideTwiceWithinAnHourIsOneFailureThatCameTwice() {
        let record = record
        store.fail(with: .fake(.corruptInput))
        for _ in 0..<2 {
            record.take([reading(series)])
            _ = record.commit()
            clock.advance(by: .seconds(1_800))
        }
        #expect(record.failures.map(\.count) == [2])
        #expect(record.failures.map { clock.monotonicTime.since($0.since) } == [.seconds(3_600)])
        #expect(record.failures.map { clock.monotonicTime.since($0.last) } == [.seconds(1_800)])
    }

    @Test func readingsOfMoreNewSeriesThanMayWaitAreCountedAndToldOfOnce() {
        let record = record
        func commit() {
            record.take(
                (0..<HistoryPending.newcomerBound + 2).map {
                    reading(HistorySeries(.connectionsTCP, member: "s\($0)", source: "kernel"))
                })
            _ = record.commit()
        }
        _ = record.commit()
        #expect(log.lines.isEmpty)
        for _ in 0..<3 { commit() }
        #expect(record.dropped >= 2)
        let told = log.lines(.info).map(\.message).filter { $0.contains("left out") }
        #expect(told.count == 1)
        #expect(told.first?.contains("left out 2 readings") == true)
    }

    @Test func whatFindsNoRoomIsToldOnce() {
        let record = record
        for _ in 0..<3 {
            record.take((0..<9).map { reading(HistorySeries(.connectionsTCP, member: "s\($0)", source: "kernel")) })
            _ = record.commit()
        }
        #expect(log.lines.count == 1)
        #expect(log.lines.first?.message.contains("no room for 5 series") == true)
    }

    @Test func anAnswerComesInPagesWithoutAGapOrARepetition() throws {
        let record = record
        let names = (0..<4).map { HistorySeries(.connectionsTCP, member: "s\($0)", source: "kernel") }
        record.take(names.map { reading($0) })
        let query = HistoryQuery(
            metrics: [.connectionsTCP], range: HistoryRange(.seconds(60), before: clock.wallTime), asked: clock.wallTime
        )
        var seen: [HistorySeries] = []
        var after: HistorySeries?
        repeat {
            let page = try HistoryOf(record)(query, after: after, limit: 3)
            seen += page.lines.map(\.series)
            after = page.next
        } while after != nil
        #expect(seen == names)
    }

    @Test func aRangeWithNothingInItIsNoFailure() throws {
        let record = record
        record.take([reading(series)])
        for range in [
            HistoryRange(from: clock.wallTime, to: clock.wallTime),
            HistoryRange(from: Timestamp(nanoseconds: .max - 1), to: Timestamp(nanoseconds: .max)),
            HistoryRange(from: clock.wallTime, to: Timestamp(seconds: 0)),
        ] {
            #expect(try HistoryOf(record)(HistoryQuery(range: range, asked: clock.wallTime), limit: 9).lines == [])
        }
    }
}
