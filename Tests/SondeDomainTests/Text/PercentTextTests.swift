import SondeDomain
import Testing

@Suite struct PercentTextTests {
    @Test(arguments: [("2%", 0.02), ("0.5%", 0.005), ("150%", 1.5), ("0%", 0), ("12.25%", 0.1225)])
    func sharesAreReadAndWritten(text: String, share: Double) {
        #expect(PercentText.parse(text) == share)
        #expect(PercentText.text(of: share) == text)
    }

    @Test(arguments: ["", "%", "2", "2 %", "-2%", "2%%", ".5%", "5.%", "1.2.3%", "1e3%", "inf%", "nan%", "0x2%", "½%"])
    func anythingElseIsNoShare(text: String) {
        #expect(PercentText.parse(text) == nil)
    }

    @Test func sharesAreWrittenToAHundredthOfAPercent() {
        #expect(PercentText.text(of: 0.031_416) == "3.14%")
        #expect(PercentText.text(of: 0.010_04) == "1%")
        #expect(PercentText.text(of: 0.000_5) == "0.05%")
        #expect(PercentText.text(of: .infinity).hasSuffix("%"))
    }
}
