import SondeTestKit
import Testing

@testable import PcapPlugin

@Suite struct TransactionTableTests {
    private let lane = DNSLane.plain

    private func table(_ transactions: Int = 1000) -> TransactionTable {
        var limits = TransactionLimits()
        limits.transactions = transactions
        return TransactionTable(limits: limits)
    }

    @Test func anAnswerEndsItsTransaction() {
        var table = table()
        let query = table.query(key: 1, question: 7, lane: lane, now: 0)
        let response = table.response(key: 1, question: 7, now: 3 * millisecond)
        table.endAll()
        let unanswered = table.unanswered.total
        #expect(query == .first)
        #expect(response == .answered(nanoseconds: 3_000_000))
        #expect(unanswered == 0)
    }

    @Test func theTimeRunsFromTheFirstQuery() {
        var table = table()
        _ = table.query(key: 1, question: 7, lane: lane, now: 0)
        let again = table.query(key: 1, question: 7, lane: lane, now: second)
        let response = table.response(key: 1, question: 7, now: 2 * second)
        #expect(again == .repeated)
        #expect(response == .answered(nanoseconds: 2_000_000_000))
    }

    @Test func aQueryAfterTheTimeoutIsAnotherTransaction() {
        var table = table()
        _ = table.query(key: 1, question: 7, lane: lane, now: 0)
        let atTheEnd = table.query(key: 1, question: 7, lane: lane, now: 5 * second)
        let after = table.query(key: 1, question: 7, lane: lane, now: 5 * second + 1)
        let response = table.response(key: 1, question: 7, now: 6 * second)
        let unanswered = table.unanswered.total
        #expect(atTheEnd == .repeated)
        #expect(after == .first)
        #expect(response == .answered(nanoseconds: 999_999_999))
        #expect(unanswered == 1)
    }

    @Test func aTransactionThatIsOverBehindOneOfTheFutureEndsWhenItsQueryComesAgain() {
        var table = table()
        _ = table.query(key: 1, question: 7, lane: lane, now: 100 * second)
        // The clock is set back: what began before waits first and is not over yet.
        _ = table.query(key: 2, question: 7, lane: lane, now: 0)
        let again = table.query(key: 2, question: 7, lane: lane, now: 6 * second)
        let before = table.unanswered.total
        table.endAll()
        let unanswered = table.unanswered.total
        #expect(again == .first)
        #expect(before == 1)
        #expect(unanswered == 3)
    }

    @Test func anUnansweredTransactionThatLeavesTheFullTableIsCountedAsForgotten() {
        var table = table(2)
        _ = table.query(key: 1, question: 7, lane: lane, now: 0)
        _ = table.query(key: 2, question: 7, lane: lane, now: 6 * second)
        let before = table.forgotten
        _ = table.query(key: 3, question: 7, lane: lane, now: 7 * second)
        let after = table.forgotten
        let late = table.response(key: 1, question: 7, now: 8 * second)
        let evicted = table.evicted.total
        #expect(before == 0 && after == 1)
        #expect(late == .unsolicited)
        #expect(evicted == 0)
    }

    @Test func aQueryThatComesAgainAfterItsAnswerIsAnotherTransaction() {
        var table = table()
        _ = table.query(key: 1, question: 7, lane: lane, now: 0)
        _ = table.response(key: 1, question: 7, now: second)
        let again = table.query(key: 1, question: 7, lane: lane, now: 2 * second)
        let onceMore = table.query(key: 1, question: 7, lane: lane, now: 2 * second + 1)
        let response = table.response(key: 1, question: 7, now: 3 * second)
        let twice = table.response(key: 1, question: 7, now: 4 * second)
        table.endAll()
        let unanswered = table.unanswered.total
        #expect(again == .first)
        #expect(onceMore == .repeated)
        #expect(response == .answered(nanoseconds: UInt64(second)))
        #expect(twice == .repeated)
        #expect(unanswered == 0)
    }

    @Test func anAnswerAfterTheTimeoutIsLateAndOneThatNobodyAskedForUnsolicited() {
        var table = table()
        _ = table.query(key: 1, question: 7, lane: lane, now: 0)
        let late = table.response(key: 1, question: 7, now: 6 * second)
        let again = table.response(key: 1, question: 7, now: 7 * second)
        let unasked = table.response(key: 2, question: 7, now: 7 * second)
        let otherQuestion = table.response(key: 1, question: 8, now: 7 * second)
        let unanswered = table.unanswered.total
        #expect(late == .late(nanoseconds: UInt64(6 * second)))
        #expect(again == .repeated)
        #expect(unasked == .unsolicited)
        #expect(otherQuestion == .unsolicited)
        #expect(unanswered == 1)
    }

    @Test func afterAMinuteNobodyRemembersTheQuery() {
        var table = table()
        _ = table.query(key: 1, question: 7, lane: lane, now: 0)
        let response = table.response(key: 1, question: 7, now: 61 * second)
        let count = table.count
        #expect(response == .unsolicited)
        #expect(count == 0)
    }

    @Test func aMessageWithoutQuestionMatchesByItsKey() {
        var table = table()
        _ = table.query(key: 1, question: 7, lane: lane, now: 0)
        _ = table.query(key: 2, question: 0, lane: lane, now: 0)
        let refusal = table.response(key: 1, question: 0, now: 1)
        let answer = table.response(key: 2, question: 9, now: 1)
        #expect(refusal == .answered(nanoseconds: 1))
        #expect(answer == .answered(nanoseconds: 1))
    }

    @Test func aMessageWithoutQuestionAnswersWhatStillWaits() {
        var table = table()
        _ = table.query(key: 1, question: 7, lane: lane, now: 0)
        _ = table.query(key: 1, question: 8, lane: lane, now: 0)
        _ = table.response(key: 1, question: 7, now: 1)
        let refusal = table.response(key: 1, question: 0, now: 2)
        let last = table.response(key: 1, question: 0, now: 3)
        #expect(refusal == .answered(nanoseconds: 2))
        #expect(last == .repeated)
    }

    @Test func questionsOfOneKeyAreTransactionsOfTheirOwn() {
        var table = table()
        _ = table.query(key: 1, question: 7, lane: lane, now: 0)
        let other = table.query(key: 1, question: 8, lane: lane, now: 1)
        let second = table.response(key: 1, question: 8, now: 2)
        let first = table.response(key: 1, question: 7, now: 3)
        #expect(other == .first)
        #expect(second == .answered(nanoseconds: 1))
        #expect(first == .answered(nanoseconds: 3))
    }

    @Test func aClockThatRunsBackwardsGivesNoTime() {
        var table = table()
        _ = table.query(key: 1, question: 7, lane: lane, now: second)
        let response = table.response(key: 1, question: 7, now: 0)
        #expect(response == .answered(nanoseconds: nil))
    }

    @Test(arguments: [Int64.min, -1, 0, Int64.max])
    func noTimeIsTooFarAway(time: Int64) {
        var table = table(4)
        for now in [0, time, Int64.max, Int64.min, time, 0] {
            for key in 0..<6 as Range<UInt64> {
                _ = table.query(key: key << 32, question: 1, lane: lane, now: now)
                _ = table.response(key: key << 32, question: 1, now: now)
            }
        }
        let count = table.count
        #expect(count <= 4)
    }

    @Test func aHundredThousandUnansweredQueriesStayBoundedAndFailOnce() {
        var table = table(20_000)
        for key in 0..<100_000 as Range<UInt64> {
            _ = table.query(key: key &* 0x9e37_79b9_7f4a_7c15, question: key, lane: lane, now: Int64(key) * 1000)
        }
        let count = table.count
        let bytes = table.byteCount
        #expect(count == 20_000)
        #expect(bytes < 2 << 20)
        table.expire(now: 100 * second)
        table.expire(now: 200 * second)
        table.endAll()
        let unanswered = table.unanswered[lane]
        let evicted = table.evicted[lane]
        #expect(evicted == 80_000)
        #expect(unanswered == 20_000)
    }

    @Test func whatWasAnsweredLeavesAFullTableFirst() {
        var table = table(10)
        for key in 0..<5 as Range<UInt64> { _ = table.query(key: key << 32, question: 1, lane: lane, now: 0) }
        for key in 5..<100 as Range<UInt64> {
            _ = table.query(key: key << 32, question: 1, lane: lane, now: 1)
            _ = table.response(key: key << 32, question: 1, now: 1)
        }
        let evicted = table.evicted.total
        let oldest = table.response(key: 0, question: 1, now: 2)
        #expect(evicted == 0)
        #expect(oldest == .answered(nanoseconds: 2))
    }

    /// Random queries and responses against plain dictionaries that keep everything.
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func itAgreesWithATableThatForgetsNothing(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var table = table(100_000)
        var started: [UInt64: (start: Int64, isAnswered: Bool)] = [:]
        var expected = (first: 0, answered: 0, failed: 0)
        var seen = (first: 0, answered: 0)
        var now: Int64 = 0
        for _ in 0..<20_000 {
            now += Int64.random(in: 0...20 * millisecond, using: &generator)
            let key = UInt64.random(in: 0..<400, using: &generator)
            let hash = key &* 0x9e37_79b9_7f4a_7c15
            let known = started[key].flatMap { now - $0.start <= 5 * second ? $0 : nil }
            if Bool.random(using: &generator) {
                if known?.isAnswered ?? true {
                    expected.first += 1
                    if let old = started[key], !old.isAnswered { expected.failed += 1 }
                    started[key] = (now, false)
                }
                if table.query(key: hash, question: key + 1, lane: lane, now: now) == .first { seen.first += 1 }
            } else {
                if let known, !known.isAnswered {
                    expected.answered += 1
                    started[key] = (known.start, true)
                }
                if case .answered = table.response(key: hash, question: key + 1, now: now) { seen.answered += 1 }
            }
            // A failure that an answer comes too late for counts once all the same.
            if let old = started[key], !old.isAnswered, now - old.start > 5 * second {
                expected.failed += 1
                started[key] = nil
            }
        }
        expected.failed += started.values.filter { !$0.isAnswered }.count
        table.endAll()
        let unanswered = table.unanswered.total
        #expect(seen.first == expected.first)
        #expect(seen.answered == expected.answered)
        #expect(unanswered == UInt64(expected.failed))
    }
}
