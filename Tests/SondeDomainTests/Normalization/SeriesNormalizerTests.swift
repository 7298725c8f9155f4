import SondeDomain
import Testing

@Suite struct SeriesNormalizerTests {
    private let wall = Timestamp(seconds: 100)
    private let time = MonotonicInstant(nanoseconds: 1)

    private func normalizer(_ kind: MetricKind, unit: String = "1") -> SeriesNormalizer {
        SeriesNormalizer(
            SeriesSpecification(name: "test", kind: kind, unit: unit, start: Timestamp(seconds: 7), counterBits: 64))
    }

    private static let histogram = HistogramValue(bounds: [1], counts: [1, 1], sum: 2).map(SampleValue.histogram)

    @Test(arguments: [MetricKind.counter, .upDown, .gauge, .info])
    func numbersFitEveryKindButHistograms(kind: MetricKind) {
        for value in [SampleValue.double(1), .signed(1), .unsigned(1)] {
            var normalizer = normalizer(kind)
            #expect(normalizer.normalize(value, wall: wall, at: time)?.value == value)
        }
    }

    @Test(arguments: MetricKind.allCases)
    func aHistogramFitsOnlyItsOwnKind(kind: MetricKind) throws {
        let histogram = try #require(Self.histogram)
        var normalizer = normalizer(kind)
        let output = normalizer.normalize(histogram, wall: wall, at: time)
        #expect(output?.value == (kind == .histogram ? histogram : nil))
    }

    @Test(arguments: [SampleValue.double(1), .signed(1), .unsigned(1)])
    func aNumberIsNoHistogram(value: SampleValue) {
        var normalizer = normalizer(.histogram)
        #expect(normalizer.normalize(value, wall: wall, at: time) == nil)
    }

    @Test(arguments: MetricKind.allCases, [Double.nan, .infinity, -.infinity])
    func whatIsNotFiniteIsMalformed(kind: MetricKind, value: Double) {
        var normalizer = normalizer(kind)
        #expect(normalizer.normalize(.double(value), wall: wall, at: time) == nil)
    }

    @Test func aNegativeCounterIsMalformedAndANegativeGaugeIsNot() {
        var counter = normalizer(.counter)
        #expect(counter.normalize(.signed(-1), wall: wall, at: time) == nil)
        #expect(counter.normalize(.double(-0.5), wall: wall, at: time) == nil)
        var gauge = normalizer(.gauge)
        #expect(gauge.normalize(.signed(-1), wall: wall, at: time)?.value == .signed(-1))
    }

    @Test func onlyCountersAndHistogramsHaveAStart() throws {
        for kind in MetricKind.allCases {
            var normalizer = normalizer(kind)
            let value = kind == .histogram ? try #require(Self.histogram) : .unsigned(1)
            let start = normalizer.normalize(value, wall: wall, at: time)?.start
            #expect(start == (kind == .counter || kind == .histogram ? Timestamp(seconds: 7) : nil))
        }
    }

    @Test func aCounterOf32BitsGoesOnPastItsEndUnderOneStart() {
        var normalizer = SeriesNormalizer(
            SeriesSpecification(name: "test", kind: .counter, unit: "", start: Timestamp(seconds: 7), counterBits: 32))
        var outputs: [SeriesNormalizer.Output] = []
        for (step, value) in [UInt64(UInt32.max) - 5, 4, UInt64(UInt32.max) - 1, 9, 3].enumerated() {
            let later = Timestamp(seconds: 100 + Int64(step))
            let now = time.advanced(by: .seconds(Int64(step)))
            normalizer.normalize(.unsigned(value), wall: later, at: now).map { outputs.append($0) }
        }
        let range = UInt64(1) << 32
        let values = [range - 6, range + 4, 2 * range - 2, 2 * range + 9, 3].map(SampleValue.unsigned)
        #expect(outputs.map(\.value) == values)
        let first = Timestamp(seconds: 100)
        #expect(outputs.map(\.start) == [first, first, first, first, Timestamp(seconds: 103)])
    }

    @Test func aCounterOf64BitsThatWrapsHasANewStart() {
        var normalizer = normalizer(.counter)
        _ = normalizer.normalize(.unsigned(.max - 1), wall: wall, at: time)
        let later = time.advanced(by: .seconds(1))
        let output = normalizer.normalize(.unsigned(3), wall: Timestamp(seconds: 101), at: later)
        #expect(output?.value == .unsigned(3))
        #expect(output?.start == wall)
    }

    @Test(arguments: [
        (bounds: [1.0], counts: [UInt64(1), 2], isReset: false), (bounds: [1.0], counts: [0, 9], isReset: true),
        (bounds: [2.0], counts: [1, 1], isReset: true),
    ])
    func aHistogramWithACountThatFallsOrOtherBoundsStartsAnew(
        bounds: [Double], counts: [UInt64], isReset: Bool
    ) throws {
        let next = try #require(HistogramValue(bounds: bounds, counts: counts, sum: nil))
        var normalizer = normalizer(.histogram)
        _ = normalizer.normalize(try #require(Self.histogram), wall: wall, at: time)
        let output = normalizer.normalize(.histogram(next), wall: Timestamp(seconds: 110), at: time)
        #expect(output?.start == (isReset ? wall : Timestamp(seconds: 7)))
    }

    @Test func aCountersRateIsInTheBaseUnitToo() throws {
        var normalizer = normalizer(.counter, unit: "bit")
        _ = normalizer.normalize(.unsigned(0), wall: wall, at: time)
        let output = normalizer.normalize(.unsigned(80), wall: wall, at: time.advanced(by: .seconds(2)))
        let reading = try #require(output?.counter)
        #expect(output?.value == .double(10))
        #expect(reading.delta == 10)
        #expect(reading.rate == 5)
    }

    @Test func aValueThatIsInfiniteInTheBaseUnitIsMalformed() {
        var normalizer = normalizer(.gauge, unit: "GBy")
        #expect(normalizer.normalize(.double(1e303), wall: wall, at: time) == nil)
    }
}
