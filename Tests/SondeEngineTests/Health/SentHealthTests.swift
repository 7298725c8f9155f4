import SondeDomain
import Testing

@testable import SondeEngine

@Suite struct SentHealthTests {
    @Test func aSinkThatIsForgottenHasNothingToEndAndOthersKeepTheirs() {
        let series = Series(
            id: SeriesID(rawValue: 1), source: "agent", name: "sonde.sink.up", kind: .gauge, unit: "")
        let entry = SentHealth.Entry(series: [SeriesFingerprint(series): series], resource: Resource(host: "h"))
        let sent = SentHealth()
        sent["gone"] = entry
        sent["stays"] = entry
        sent.forget("gone")
        #expect(sent["gone"].series.isEmpty && sent["gone"].resource == nil)
        #expect(sent["stays"].series.count == 1 && sent["stays"].resource == Resource(host: "h"))
    }
}
