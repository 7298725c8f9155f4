import SondeDomain
import Testing

@Suite struct DurationTextTests {
    @Test(
        arguments: [
            ("0s", 0), ("10s", 10_000_000_000), ("1m30s", 90_000_000_000), ("100ms", 100_000_000), ("500us", 500_000),
            ("7ns", 7), ("1h", 3_600_000_000_000), ("2d", 172_800_000_000_000), ("1d12h", 129_600_000_000_000),
            ("007s", 7_000_000_000), ("106751d", 9_223_286_400_000_000_000),
        ])
    func durationIsRead(_ text: String, _ nanoseconds: Int64) throws {
        #expect(try DurationText.parse(text) == Nanoseconds(nanoseconds))
    }

    @Test(
        arguments: [
            ("10", DurationText.Failure.missingUnit), ("", .malformed), ("s", .malformed), ("1m30", .malformed),
            ("10 s", .malformed), ("10S", .malformed), ("1.5s", .malformed), ("30s1m", .malformed),
            ("1s1s", .malformed), ("10x", .malformed), ("-5s", .negative), ("-5", .negative), ("--5s", .malformed),
            ("-", .malformed), ("+5s", .malformed), ("106752d", .overflow), ("9223372036854775807s", .overflow),
            ("99999999999999999999s", .overflow), ("106751d24h", .overflow),
        ])
    func everythingElseIsRefusedWithItsReason(_ text: String, _ failure: DurationText.Failure) {
        #expect(throws: failure) { try DurationText.parse(text) }
    }

    @Test(
        arguments: [
            (0, "0s"), (10_000_000_000, "10s"), (90_000_000_000, "1m30s"), (1_500_000_000, "1s500ms"),
            (Int64.max, "106751d23h47m16s854ms775us807ns"), (-1_000_000, "-1ms"),
            (Int64.min, "-106751d23h47m16s854ms775us808ns"),
        ])
    func durationIsWritten(_ nanoseconds: Int64, _ text: String) {
        #expect(DurationText.text(of: Nanoseconds(nanoseconds)) == text)
    }

    @Test func whatIsWrittenReadsBack() throws {
        for shift in 0..<63 {
            let span = Nanoseconds(Int64.max >> shift)
            #expect(try DurationText.parse(DurationText.text(of: span)) == span)
        }
    }
}
