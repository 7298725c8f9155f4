import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@Suite struct LossLedgerTests {
    private let log = RecordingLog()

    private func loss(_ reason: String, _ count: UInt64?, from: Int64? = nil, to: Int64? = nil) -> Loss {
        Loss(
            reason: reason, component: "a", from: from.map { Timestamp(seconds: $0) },
            to: to.map { Timestamp(seconds: $0) }, count: count)
    }

    @Test func countsAddUpByComponentAndReason() {
        let ledger = LossLedger(log: log)
        ledger.record(loss("x", 3, from: 1, to: 2))
        ledger.record(loss("x", 4, from: 5, to: 6))
        ledger.record(loss("y", 1))
        #expect(ledger.count(component: "a", reason: "x") == 7)
        #expect(ledger.all.map(\.reason) == ["x", "y"])
        #expect(ledger.all[0].from == Timestamp(seconds: 1))
        #expect(ledger.all[0].to == Timestamp(seconds: 6))
        #expect(ledger.all[0].reports == 2)
    }

    @Test func anUnknownCountStaysUnknown() {
        let ledger = LossLedger(log: log)
        ledger.record(loss("x", nil))
        #expect(ledger.all.first?.count == nil)
        ledger.record(loss("x", 2))
        ledger.record(loss("x", nil))
        #expect(ledger.all.first?.count == 2)
        #expect(ledger.all.first?.reports == 3)
    }

    @Test func aNewReasonIsLoggedOnce() {
        let ledger = LossLedger(log: log)
        for _ in 0..<5 { ledger.record(loss("x", 1)) }
        #expect(log.lines.count == 1)
        #expect(log.lines.first?.component == "a")
    }

    @Test func countsStopAtTheirEnd() {
        let ledger = LossLedger(log: log)
        ledger.record(loss("x", .max))
        ledger.record(loss("x", 5))
        #expect(ledger.count(component: "a", reason: "x") == .max)
    }

    @Test func manyReasonsAreBoundedAndStillCounted() {
        let ledger = LossLedger(log: log)
        for number in 0..<3_000 { ledger.record(loss("reason \(number)", 1)) }
        #expect(ledger.all.count <= 1_025)
        #expect(ledger.all.reduce(0) { $0 + ($1.count ?? 0) } == 3_000)
    }
}
