import SondeTestKit
import Testing

@testable import SondeDomain

@Suite struct PairedCountsTests {
    private func at(_ seconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: Int64(seconds * 1e9))
    }

    private func count(_ from: Double, _ to: Double, _ amount: Double, hidden: Double = 0) -> PairedCounts.Count {
        PairedCounts.Count(from: at(from), to: at(to), amount: amount, hidden: hidden)
    }

    @Test func onlyTimeThatBothHaveToldOfIsCompared() throws {
        var pairs = PairedCounts(window: .seconds(60))
        pairs.add(count(0, 10, 100), of: .seen)
        #expect(pairs.totals(at: at(10)) == nil)
        pairs.add(count(4, 6, 20, hidden: 5), of: .reported)
        let first = try #require(pairs.totals(at: at(10)))
        #expect(abs(first.seen - 20) < 1e-9 && abs(first.reported - 20) < 1e-9 && abs(first.hidden - 5) < 1e-9)
        pairs.add(count(6, 14, 80), of: .reported)
        pairs.add(count(10, 20, 100), of: .seen)
        let second = try #require(pairs.totals(at: at(20)))
        #expect(abs(second.seen - 100) < 1e-9 && abs(second.reported - 100) < 1e-9)
    }

    @Test func aPauseOfOneSideIsNotCompared() throws {
        var pairs = PairedCounts(window: .seconds(60))
        for second in 0..<20 {
            pairs.add(count(Double(second), Double(second + 1), 5), of: .seen)
            if !(5..<10).contains(second) { pairs.add(count(Double(second), Double(second + 1), 5), of: .reported) }
        }
        let totals = try #require(pairs.totals(at: at(20)))
        #expect(abs(totals.seen - 75) < 1e-9 && abs(totals.reported - 75) < 1e-9)
    }

    @Test func whatIsOlderThanTheWindowIsForgotten() {
        var pairs = PairedCounts(window: .seconds(60))
        pairs.add(count(0, 1, 5), of: .seen)
        pairs.add(count(0, 1, 5), of: .reported)
        #expect(pairs.totals(at: at(30)) != nil)
        #expect(pairs.totals(at: at(90)) == nil)
    }

    @Test func sidesThatCommitAtTheirOwnPaceAgree() throws {
        var random = SeededGenerator(seed: 3)
        var pairs = PairedCounts(window: .seconds(3_600))
        // A thousand queries at random times, counted by two that look at different moments.
        let queries = (0..<1_000).map { _ in Double.random(in: 0..<600, using: &random) }
        for (side, phase, pause) in [(PairedCounts.Side.seen, 0.3, 10.0), (.reported, 2.9, 7.0)] {
            var from = phase
            while from < 600 {
                let to = from + pause
                pairs.add(count(from, to, Double(queries.count { $0 >= from && $0 < to })), of: side)
                from = to
            }
        }
        let totals = try #require(pairs.totals(at: at(610)))
        #expect(abs(totals.seen / totals.reported - 1) < 0.02)
        #expect(totals.reported > 950)
    }

    @Test func whatWaitsIsBounded() {
        var pairs = PairedCounts(window: .seconds(3_600))
        for second in 0..<5_000 { pairs.add(count(Double(second), Double(second + 1), 1), of: .seen) }
        // The oldest gave way: there is nothing to compare with them any more.
        pairs.add(count(0, 10, 10), of: .reported)
        #expect(pairs.totals(at: at(3_000)) == nil)
        pairs.add(count(4_990, 5_000, 10), of: .reported)
        #expect(pairs.totals(at: at(5_000)) != nil)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func whatIsNoNumberIsLeftOut(_ amount: Double) {
        var pairs = PairedCounts(window: .seconds(60))
        pairs.add(count(0, 1, amount), of: .seen)
        pairs.add(count(0, 1, 1), of: .reported)
        pairs.add(count(3, 2, 1), of: .reported)
        #expect(pairs.totals(at: at(2)) == nil)
    }
}
