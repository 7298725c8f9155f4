import SondeDomain
import SondeFormats
import Testing

@testable import SondePresentation

@Suite struct StatusTextTests {
    @Test(arguments: [
        (0, "0ms"), (999, "999ms"), (1_000, "1s"), (59_999, "59s"), (60_000, "1m"), (192_000, "3m12s"),
        (7_500_000, "2h5m"), (90_000_000, "1d1h"), (86_400_000, "1d"), (-5, "0ms"),
    ])
    func aSpanIsItsTwoLargestUnits(_ milliseconds: Int64, _ text: String) {
        #expect(AgeText.span(.milliseconds(milliseconds)) == text)
    }

    @Test func anAttemptWhoseTimeHasComeIsNow() {
        let now = Timestamp(seconds: 100)
        #expect(AgeText.until(Timestamp(seconds: 99), at: now) == "now")
        #expect(AgeText.until(Timestamp(seconds: 103), at: now) == "3s")
        #expect(AgeText.until(nil, at: now) == "–")
        #expect(AgeText.since(Timestamp(nanoseconds: .min), at: Timestamp(nanoseconds: .max)) == "–")
    }

    @Test(arguments: [
        (0, "0 B"), (1_023, "1023 B"), (1_024, "1 KiB"), (1_536, "1.5 KiB"), (10_240, "10 KiB"), (1_023 << 10, "1 MiB"),
        (16 << 20, "16 MiB"), (UInt64.max, ">999 PiB"),
    ])
    func aSizeHasTwoDigitsOrThree(_ bytes: UInt64, _ text: String) {
        #expect(StatusText.bytes(bytes) == text)
    }

    @Test(arguments: [(0, "0"), (999, "999"), (1_000, "1 000"), (1_234_567, "1 234 567")])
    func aCountIsInGroupsOfThree(_ count: UInt64, _ text: String) {
        #expect(StatusText.count(count) == text)
    }

    @Test(arguments: [-2_208_988_800, -1, 0, 951_782_400, 1_767_225_600, 1_709_164_800, 4_102_444_799])
    func anInstantReadsBackAsItWasWritten(_ seconds: Int64) {
        let instant = Timestamp(nanoseconds: seconds * 1_000_000_000 + 123_000_000)
        var buffer = ByteBuffer()
        buffer.append(time: instant)
        #expect(TimestampText.parse(String(decoding: buffer.bytes, as: UTF8.self)) == instant)
    }

    @Test(arguments: [
        "", "2026-01-01", "2026-01-01T00:00:00Z", "2026-13-01T00:00:00.000Z", "2026-00-01T00:00:00.000Z",
        "2026-01-00T00:00:00.000Z", "2026-01-01T00:00:00.000z", "2026-01-01T0a:00:00.000Z", "٢٠٢٦-01-01T00:00:00.000",
    ])
    func anotherTextIsNoInstant(_ text: String) {
        #expect(TimestampText.parse(text) == nil)
    }

    @Test(arguments: [("memory", "in memory"), ("disk", "on disk")])
    func theQueueHasAPlace(_ kind: String, _ text: String) {
        #expect(StatusText.place(kind) == text)
    }

    @Test func wordsFillLinesAndALongWordHasItsOwn() {
        #expect(Paragraph.lines("aa bb cccccccc d", columns: 5) == ["aa bb", "cccccccc", "d"])
        #expect(Paragraph.lines("", columns: 5) == [])
    }
}
