import SondeDomain
import Testing

@Suite struct RecentSeriesTests {
    /// Names a batch of series; how many of them were new.
    private func name(_ numbers: some Collection<UInt64>, _ table: inout RecentSeries<UInt64>) -> Int {
        table.removeStale()
        table.beginBatch(of: numbers.count)
        var (new, wrong) = (0, 0)
        for number in numbers {
            let series = SeriesID(rawValue: number)
            let known = table.index(of: series)
            if known == nil { new += 1 }
            let index = known ?? table.add(number, for: series)
            if table[index] != number { wrong += 1 }
        }
        #expect(wrong == 0)
        return new
    }

    @Test func aSeriesIsFoundInWhateverOrderItIsNamed() {
        var table = RecentSeries<UInt64>()
        #expect(name(0..<1_000, &table) == 1_000)
        #expect(name(Array((0..<1_000).reversed()), &table) == 0)
        #expect(name((0..<1_000).map { $0 * 7 % 1_000 }, &table) == 0)
        #expect(name([1 << 63, 3 << 62, .max], &table) == 3)
        #expect(table.count == 1_003)
    }

    @Test(arguments: [200, 1_000, 20_000])
    func aHundredThousandSeriesThatStayAreMadeOnce(batch: UInt64) {
        var table = RecentSeries<UInt64>()
        var new = 0
        for _ in 0..<4 {
            for first in stride(from: 0, to: 100_000, by: UInt64.Stride(batch)) {
                new += name(UInt64(first)..<UInt64(first) + batch, &table)
            }
        }
        #expect(new == 100_000)
    }

    @Test func whatNoRoundNamesAnyMoreIsForgotten() {
        var table = RecentSeries<UInt64>()
        _ = name(0..<10_000, &table)
        for _ in 0..<3 * RecentSeries<UInt64>.patience { _ = name(0..<100, &table) }
        #expect(table.count == 100)
        #expect(name(0..<100, &table) == 0)
        #expect(name(9_000..<9_010, &table) == 10)
    }

    @Test func seriesThatComeAndGoWithoutEndStayWithinTheBound() {
        var table = RecentSeries<UInt64>()
        var (most, made) = (0, 0)
        for batch in 0..<50 as Range<UInt64> {
            made += name(0..<5_000, &table)
            _ = name(10_000 + batch * 8_000..<18_000 + batch * 8_000, &table)
            most = max(most, table.count)
        }
        #expect(made == 5_000)
        #expect(most <= 2 * (RecentSeries<UInt64>.mostNew + 8_000) + 5_000)
    }
}
