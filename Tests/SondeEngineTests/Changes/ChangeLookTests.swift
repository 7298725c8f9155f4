import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

@Suite struct ChangeLookTests {
    private let series = HistorySeries(.bandwidthReceive, member: "eth0", source: "kernel")

    /// What is known of ten minutes up to a second, on a host whose clock began in 1970.
    private func evidence(upTo end: Int64) throws -> ChangeLook.Evidence {
        var pending = HistoryPending()
        for second in stride(from: 60 as Int64, through: end, by: 60) {
            let observation = HistoryObservation(
                .held(1e6, peak: nil), at: Timestamp(seconds: second), held: .seconds(60))
            pending.add(
                HistoryCollector.Reading(series: series, rank: .standard, observation: observation), isKept: true)
        }
        let range = HistoryRange(.seconds(600), before: Timestamp(seconds: end))
        let look = try #require(ChangeLook(range, .week))
        return try look.evidence(of: series, in: try HistoryReading(InMemoryHistoryStore(units: 4), pending))
    }

    @Test func ofARangeThatBeginsWith1970ItIsNotKnownWhatIsUsual() throws {
        let first = try evidence(upTo: 600)
        let isKnownOfFirst = first.detector != nil
        #expect(!isKnownOfFirst)
        #expect(first.days.isEmpty)
        #expect(first.course.lastKnown == Timestamp(seconds: 600))
        let second = try evidence(upTo: 1_200)
        let isKnownOfSecond = second.detector != nil
        #expect(isKnownOfSecond)
    }
}
