import SondeFormats
import Testing

struct QuantityTextTests {
    @Test(
        arguments: [
            (nil, "–"), (0, "0  B/s"), (0.01, "<0.1  B/s"), (0.06, "0.1  B/s"), (3.25, "3.3  B/s"), (9.94, "9.9  B/s"),
            (9.96, "10  B/s"), (999.4, "999  B/s"), (999.5, "1.00 kB/s"), (1_000, "1.00 kB/s"), (9_994, "9.99 kB/s"),
            (9_996, "10.0 kB/s"), (99_960, "100 kB/s"), (999_499, "999 kB/s"), (999_500, "1.00 MB/s"),
            (1.25e9, "1.25 GB/s"),
            (1.25e10, "12.5 GB/s"), (9.99e20, "999 EB/s"), (9.996e20, ">999 EB/s"), (9.99e17, "999 PB/s"),
            (1e300, ">999 EB/s"),
            (.infinity, "–"), (.nan, "–"), (-1_500, "-1.50 kB/s"),
        ] as [(Double?, String)])
    func aRateHasThreeDigitsAndOneUnit(_ rate: Double?, _ text: String) {
        #expect(QuantityText.rate(rate) == text)
    }

    @Test(
        arguments: [
            (nil, "–"), (0, "0"), (12, "12"), (10.53, "10.5"), (0.01, "<0.1"), (1_312, "1312"), (0.96, "1.0"),
            (-3, "-3"),
            (1e300, ">1e15"), (-1e300, "<-1e15"), (.nan, "–"),
        ] as [(Double?, String)])
    func aCountIsWholeWhenItIs(_ count: Double?, _ text: String) {
        #expect(QuantityText.count(count) == text)
    }

    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (9_960, "10 kB"), (981_900, "982 kB"), (1_230_000, "1.2 MB"),
        (52_600_000, "53 MB"), (-1, "0 B"), (1e30, ">999 EB"),
    ])
    func aSizeHasTwoDigitsAndOneUnit(_ bytes: Double, _ text: String) {
        #expect(QuantityText.size(bytes) == text)
    }
}
