import SondeDomain
import SondeEngine
import Testing

@testable import SondeGateways

/// A real process on a real disk, killed while it commits.
@Suite struct KilledHistoryTests {
    @Test func everyMinuteThatWasCommittedBeforeAKillIsWholeAfterIt() throws {
        let fixture = try HistoryFixture()
        let program = KilledProgram(name: "history-benchmark")
        var next: Int64 = 0
        for round in 0..<20 {
            let told = Int64(try program.write(fixture.path, from: UInt64(next), untilLines: round * 2 + 1))
            let store = SQLiteHistoryStore(path: fixture.path, maxBytes: nil)
            let steps = try store.steps(of: HistoryFixture.series, in: .hour, 0..<Int64.max).steps
            let first = HistoryFixture.begin / 5
            let last = try #require(steps.last?.index) + 1
            #expect((last - first) % 12 == 0, "half a minute is there")
            #expect((last - first) / 12 > told, "round \(round): minute \(told) was told and is not there")
            #expect(steps.map(\.index) == Array((last - Int64(steps.count))..<last))
            #expect(store.takeFailures().isEmpty)
            next = (last - first) / 12
        }
    }
}
