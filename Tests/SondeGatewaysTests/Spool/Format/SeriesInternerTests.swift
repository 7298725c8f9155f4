import SondeDomain
import Testing

@testable import SondeGateways

@Suite struct SeriesInternerTests {
    private let interner = SeriesInterner()

    private func series(_ number: UInt64, _ key: String) -> Series {
        Series(
            id: SeriesID(rawValue: number), source: "test", name: "test.bytes", kind: .gauge, unit: "By",
            attributes: [Attribute("key", key)])
    }

    @Test func aSeriesOfTheProcessThatIsInUseIsTheOneThatIsRead() {
        let open = series(7, "a")
        interner.register(open)
        #expect(interner.series(series(0, "a")) === open)
    }

    @Test func aSeriesOfAFormerSegmentIsReadUnderItsNumber() {
        interner.register(series(7, "a"))
        interner.beginSegment()
        let read = interner.series(series(0, "a"))
        #expect(read.id.rawValue == 7 && read.attribute("key") == "a")
    }

    @Test func oneThatTheProcessDoesNotKnowGetsANumberOfItsOwnOnce() {
        let numbers = ["a", "b", "a"].map { interner.series(series(0, $0)).id.rawValue }
        #expect(numbers[0] == numbers[2] && numbers[0] != numbers[1] && numbers.allSatisfy { $0 >= 1 << 63 })
    }

    @Test func seriesOfAFormerSegmentAreNotKeptAlive() {
        weak var kept: Series?
        do {
            let open = series(7, "a")
            interner.register(open)
            kept = open
        }
        #expect(kept != nil)
        interner.beginSegment()
        #expect(kept == nil)
    }

    @Test func whatIsWrittenKeepsItsNumberHoweverManySeriesThereAre() {
        let open = (0..<100_000 as Range<UInt64>).map { series($0, "open \($0)") }
        for one in open { interner.register(one) }
        #expect(open.allSatisfy { interner.series(series(0, $0.attributes[0].value)) === $0 })
    }

    @Test func whatIsReadBesideIsForgottenBeyondABound() {
        let open = (1...50_000 as ClosedRange<UInt64>).map { series($0, "open \($0)") }
        for one in open { interner.register(one) }
        weak var first: Series?
        do { first = interner.series(series(0, "gone")) }
        #expect(first != nil)
        for number in 0..<SegmentStore.endedPerSegment.upperBound { _ = interner.series(series(0, "gone \(number)")) }
        #expect(first == nil)
        #expect(open.allSatisfy { interner.series(series(0, $0.attributes[0].value)) === $0 })
    }

    @Test func besideFewSeriesFewAreKept() {
        for number in 1...1_500 as ClosedRange<UInt64> { interner.register(series(number, "open \(number)")) }
        let first = interner.series(series(0, "gone")).id
        for number in 0..<500 { _ = interner.series(series(0, "gone \(number)")) }
        #expect(interner.series(series(0, "gone")).id == first)
        for number in 500..<3_000 { _ = interner.series(series(0, "gone \(number)")) }
        #expect(interner.series(series(0, "gone")).id != first)
    }

    @Test func afterABurstFewAreKeptAgain() {
        for number in 1...5_000 as ClosedRange<UInt64> { interner.register(series(number, "burst \(number)")) }
        interner.beginSegment()
        for number in 5_001...5_100 as ClosedRange<UInt64> { interner.register(series(number, "open \(number)")) }
        #expect(interner.series(series(0, "burst 1")).id.rawValue == 1)
        interner.beginSegment()
        #expect(interner.series(series(0, "burst 1")).id.rawValue >= 1 << 63)
        #expect(interner.series(series(0, "open 5001")).id.rawValue == 5_001)
    }

    @Test func asManyAsAreAskedForAreKept() {
        let interner = SeriesInterner(from: SeriesInterner.firstDeadLetterID, others: 8192...8192)
        let first = interner.series(series(0, "first")).id
        for number in 0..<8_000 { _ = interner.series(series(0, "\(number)")) }
        #expect(interner.series(series(0, "first")).id == first)
        for number in 8_000..<9_000 { _ = interner.series(series(0, "\(number)")) }
        #expect(interner.series(series(0, "first")).id != first)
    }
}
