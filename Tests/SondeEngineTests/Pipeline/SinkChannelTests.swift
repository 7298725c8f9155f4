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
}
