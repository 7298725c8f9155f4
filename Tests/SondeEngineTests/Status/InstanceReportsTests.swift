import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

struct InstanceReportsTests {
    private let clock = ManualClock()
    private let log = RecordingLog()
    private let entry: StatusEntry
    private let reports: InstanceReports

    init() {
        entry = StatusEntry(id: "resolver", plugin: "dnslog", kind: .source, at: clock.monotonicTime)
        reports = InstanceReports(id: "resolver", entry: entry, log: log, clock: clock)
    }

    private func trouble(_ option: String?, _ code: String = "SND-DLG001") -> SondeError {
        SondeError(
            ErrorCode(code), stage: .collect, class: .resource, message: "a log cannot be read", component: "resolver",
            optionPath: option)
    }

    @Test func aTroubleStandsInTheStatusUntilItIsCleared() {
        #expect(reports.reportTrouble(trouble("paths[0]"), since: nil))
        #expect(reports.reportTrouble(trouble("paths[1]"), since: nil))
        #expect(reports.reportTrouble(trouble("paths[1]"), since: nil))
        #expect(entry.current.troubles.map(\.error.optionPath) == ["paths[0]", "paths[1]"])
        #expect(entry.current.troubles.map(\.count) == [1, 2])
        #expect(entry.current.isFailing)
        reports.clearTrouble(ErrorCode("SND-DLG001"), optionPath: "paths[0]")
        reports.clearTrouble(ErrorCode("SND-DLG001"), optionPath: "paths[7]")
        #expect(entry.current.troubles.map(\.error.optionPath) == ["paths[1]"])
        #expect(log.lines(.error).count == 2)
        #expect(log.lines(.info).count == 1)
    }

    @Test func itBeganWhenThePluginSays() throws {
        clock.advance(by: .seconds(60))
        let began = Timestamp(nanoseconds: clock.wallTime.nanoseconds - 40_000_000_000)
        _ = reports.reportTrouble(trouble(nil), since: began)
        let since = try #require(entry.current.troubles.first?.since)
        #expect(clock.monotonicTime.since(since) == .seconds(40))
    }

    @Test func thereAreThirtyTwoAtTheMost() {
        for number in 0..<32 { #expect(reports.reportTrouble(trouble("p[\(number)]"), since: nil)) }
        #expect(!reports.reportTrouble(trouble("p[32]"), since: nil))
        #expect(reports.reportTrouble(trouble("p[31]"), since: nil))
        #expect(entry.current.troubles.count == 32)
    }

    @Test func theFirstOfEachKindThatIsRejectedIsInTheLog() {
        for _ in 0..<3 { reports.reject(.point, metric: "m", reason: "too_old") }
        reports.reject(.point, metric: "m", reason: "duplicate")
        #expect(log.lines(.warning).count == 2)
        #expect(reports.rejections.rows.map(\.count) == [1, 3])
    }
}
