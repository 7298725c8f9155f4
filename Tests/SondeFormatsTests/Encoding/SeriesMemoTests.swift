import SondeDomain
import Testing

@testable import SondeFormats

@Suite struct SeriesMemoTests {
    private static func series(_ numbers: Range<UInt64>) -> [Series] {
        numbers.map {
            Series(
                id: SeriesID(rawValue: $0), source: "a", name: "x", kind: .gauge, unit: "1", attributes: [], labels: [])
        }
    }

    /// How many entries are made for batches of those series.
    private static func made(_ batches: some Sequence<Range<UInt64>>, _ memo: inout SeriesMemo<UInt64>) -> Int {
        var made = 0
        for batch in batches {
            memo.resolve(series(batch)) { series, arena in
                made += 1
                arena.append(0x20)
                return series.id.rawValue
            }
            #expect(memo.entries == Array(batch))
        }
        return made
    }

    @Test func aSeriesThatStaysIsMadeOnceHoweverManyBatchesPartAll() {
        var memo = SeriesMemo<UInt64>()
        let parts = (0..<40).map { UInt64($0) * 500..<UInt64($0 + 1) * 500 }
        #expect(Self.made(Array(repeating: parts, count: 20).joined(), &memo) == 20_000)
    }

    @Test func aHundredThousandSeriesOfAUsualLengthAreMadeOnce() {
        var memo = SeriesMemo<UInt64>()
        var made = 0
        for part in 0..<20 as Range<UInt64> {
            memo.resolve(Self.series(part % 10 * 10_000..<(part % 10 + 1) * 10_000)) { series, arena in
                made += 1
                arena.append([UInt8](repeating: 0x20, count: 200))
                return series.id.rawValue
            }
        }
        #expect(made == 100_000)
    }

    @Test func seriesThatComeAndGoAreForgotten() {
        var memo = SeriesMemo<UInt64>()
        var largest = 0
        for batch in 0..<2_000 as Range<UInt64> {
            _ = Self.made([batch * 20..<(batch + 1) * 20], &memo)
            largest = max(largest, memo.arena.count)
        }
        // Two stretches of 40,000 series; each has written one byte.
        #expect(largest <= 2 * 256 * 20)
    }

    @Test func aStormOfSeriesIsForgottenWhenItIsOver() {
        var memo = SeriesMemo<UInt64>()
        _ = Self.made([0..<10_000], &memo)
        #expect(Self.made(Array(repeating: 0..<100, count: 1_000), &memo) == 100, "once more, when it starts over")
        #expect(memo.arena.count == 100)
    }

    @Test func aBurstSmallerThanWhatStaysIsForgotten() {
        var memo = SeriesMemo<UInt64>()
        _ = Self.made([0..<1_300, 2_000..<3_000], &memo)
        #expect(Self.made(Array(repeating: 0..<1_300, count: 200), &memo) == 1_300, "once more, when it starts over")
        #expect(memo.arena.count == 1_300)
    }

    @Test func beyondItsBytesItStartsOver() {
        var memo = SeriesMemo<UInt64>(bound: 10)
        _ = Self.made([0..<8, 8..<16, 16..<18], &memo)
        #expect(memo.arena.count == 2)
    }
}
