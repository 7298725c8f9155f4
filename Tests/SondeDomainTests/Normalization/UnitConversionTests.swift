import SondeDomain
import Testing

@Suite struct UnitConversionTests {
    @Test(arguments: [
        ("ms", "s", 0.001), ("us", "s", 1e-6), ("min", "s", 60), ("bit", "By", 0.125), ("Mbit", "By", 125_000),
        ("KiBy", "By", 1_024), ("%", "1", 0.01), ("kbit/s", "By/s", 125),
    ])
    func aKnownUnitComesIntoItsBase(unit: String, base: String, factor: Double) {
        let conversion = UnitConversion(from: unit)
        #expect(conversion.unit == base)
        #expect(conversion.factor == factor)
    }

    @Test(arguments: ["By", "s", "1", "", "{packet}", "furlong", "/s", "By/s/s"])
    func anyOtherUnitStaysAsItIs(unit: String) {
        let conversion = UnitConversion(from: unit)
        #expect(conversion.unit == unit)
        #expect(conversion.isIdentity)
    }

    @Test func integersInTheBaseUnitStayExact() {
        #expect(UnitConversion(from: "By").apply(.unsigned(.max)) == .unsigned(.max))
        #expect(UnitConversion(from: "By").apply(.signed(.min)) == .signed(.min))
    }

    @Test func valuesAreScaled() {
        #expect(UnitConversion(from: "kBy").apply(.unsigned(3)) == .double(3_000))
        #expect(UnitConversion(from: "min").apply(.signed(-2)) == .double(-120))
    }

    @Test func histogramsAreScaledInBoundsAndSum() throws {
        let histogram = try #require(HistogramValue(bounds: [1_000, 2_000], counts: [1, 2, 3], sum: 9_000))
        let expected = try #require(HistogramValue(bounds: [1, 2], counts: [1, 2, 3], sum: 9))
        #expect(UnitConversion(from: "ms").apply(.histogram(histogram)) == .histogram(expected))
    }

    @Test func aValueThatADoubleCannotHoldIsNone() throws {
        #expect(UnitConversion(from: "GBy").apply(.double(.greatestFiniteMagnitude)) == nil)
        let bounds = [Double.leastNonzeroMagnitude, Double.leastNonzeroMagnitude * 2]
        let tiny = try #require(HistogramValue(bounds: bounds, counts: [0, 0, 0], sum: nil))
        #expect(UnitConversion(from: "ns").apply(.histogram(tiny)) == nil)
    }
}
