import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@Suite struct SinkChannelTests {
    @Test func whatASinkSaysBearsItsNameAndWhatItLosesIsInTheLedger() {
        let log = RecordingLog()
        let ledger = LossLedger(log: log)
        let services = SinkChannel(id: "central", clock: ManualClock(), log: log, ledger: ledger)
        services.log(.warning, "slow")
        #expect(log.lines.map(\.message) == ["slow"])
        #expect(log.lines.map(\.component) == ["central"])
        services.reportLoss(Loss(reason: "refused", component: "central", count: 3))
        #expect(ledger.all.map(\.count) == [3])
    }

    @Test func aPartThatFailsIsInTheStatusSinceThenAndUntilItWorksAgain() throws {
        let clock = ManualClock()
        clock.advance(by: .seconds(60))
        let log = RecordingLog()
        let entry = StatusEntry(id: "central", plugin: "fake", kind: .sink, at: clock.monotonicTime)
        let services = SinkChannel(id: "central", clock: clock, log: log, ledger: LossLedger(log: log), entry: entry)
        let error = trouble("paths[0]")
        let began = Timestamp(nanoseconds: clock.wallTime.nanoseconds - 40_000_000_000)
        #expect(services.reportTrouble(error, since: began))
        let told = try #require(entry.current.troubles.first)
        #expect(told.error == error)
        #expect(clock.monotonicTime.since(told.since) == .seconds(40))
        services.clearTrouble(error.code, optionPath: "paths[1]")
        #expect(entry.current.troubles.map(\.error) == [error])
        services.clearTrouble(error.code, optionPath: "paths[0]")
        #expect(entry.current.troubles.isEmpty)
    }

    @Test func aSinkLearnsThatItReportsTooManyTroubles() {
        let (clock, log) = (ManualClock(), RecordingLog())
        let services = SinkChannel(id: "central", clock: clock, log: log, ledger: LossLedger(log: log))
        let answers = (0...InstanceStatus.troubleBound).map {
            services.reportTrouble(trouble("paths[\($0)]"), since: nil)
        }
        #expect(answers.dropLast().allSatisfy { $0 })
        #expect(answers.last == false)
    }

    @Test func aSinkGetsTheMeaningThatASourceGivesToAMetric() {
        let (log, meanings) = (RecordingLog(), MetricMeanings())
        let services = SinkChannel(
            id: "central", clock: ManualClock(), log: log, ledger: LossLedger(log: log), meanings: meanings)
        meanings.learn([MetricDefinition("test.gauge", .gauge, unit: "1", meaning: "How full it is.")])
        #expect(services.meaning(of: "test.gauge") == "How full it is.")
        #expect(services.meaning(of: "test.other").isEmpty)
    }

    private func trouble(_ option: String) -> SondeError {
        SondeError(
            ErrorCode("TEST-001"), stage: .deliver, class: .resource, message: "a file cannot be written",
            component: "central", optionPath: option)
    }
}
