import SondeDomain
import Testing

@Suite struct ArrayReuseTests {
    private static func entries(_ count: Int, capacity: Int? = nil) -> [Batch.Entry] {
        var entries: [Batch.Entry] = []
        entries.reserveCapacity(capacity ?? count)
        for place in 0..<count {
            let time = Timestamp(seconds: Int64(place))
            let point = MetricPoint(series: SeriesID(rawValue: 1), time: time, value: .unsigned(1))
            entries.append(Batch.Entry(seriesIndex: 0, point: point))
        }
        return entries
    }

    @Test func aLargeArrayIsReused() {
        let entries = Self.entries(5_000)
        let (memory, reused) = (entries.address, entries.forReuse)
        #expect(reused.count == 5_000 && reused.address == memory)
        #expect(Self.entries(5_000, capacity: 15_000).forReuse.count == 5_000)
    }

    @Test func whatTakesLittleOrIsMostlyEmptyIsNot() {
        #expect(Self.entries(1_000).forReuse.capacity == 0)
        #expect(Self.entries(5_000, capacity: 40_000).forReuse.capacity == 0)
    }
}

extension [Batch.Entry] {
    fileprivate var address: UnsafeRawPointer? { withUnsafeBytes(\.baseAddress) }
}
