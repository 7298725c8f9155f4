import SondeDomain
import Testing

@Suite struct ClampingTests {
    @Test func spansClampInsteadOfTrapping() {
        #expect(Nanoseconds(.max) + Nanoseconds(1) == Nanoseconds(.max))
        #expect(Nanoseconds(.min) + Nanoseconds(-1) == Nanoseconds(.min))
        #expect(Nanoseconds(.max) * 2 == Nanoseconds(.max))
        #expect(Nanoseconds(.max) * -2 == Nanoseconds(.min))
        #expect(Nanoseconds.seconds(.max) == Nanoseconds(.max))
        #expect(Nanoseconds.seconds(.min) == Nanoseconds(.min))
        #expect(Nanoseconds.milliseconds(.min) == Nanoseconds(.min))
    }

    @Test func spansAddAndScale() {
        #expect(Nanoseconds.seconds(1) + .milliseconds(500) == .milliseconds(1_500))
        #expect(Nanoseconds.seconds(2) * 3 == .seconds(6))
        #expect(Nanoseconds.milliseconds(1_500).seconds == 1.5)
        #expect(Nanoseconds.seconds(-1) < .zero)
    }

    @Test func instantsClampInsteadOfTrapping() {
        let late = MonotonicInstant(nanoseconds: .max - 1)
        let early = MonotonicInstant(nanoseconds: .min + 1)
        #expect(late.advanced(by: .seconds(1)) == .distantFuture)
        #expect(early.advanced(by: .seconds(-1)).nanoseconds == .min)
        #expect(late.since(early) == Nanoseconds(.max))
        #expect(early.since(late) == Nanoseconds(.min))
    }

    @Test func instantsAreApartByTheSpanBetweenThem() {
        let first = MonotonicInstant(nanoseconds: 5)
        let second = first.advanced(by: .seconds(3))
        #expect(second.since(first) == .seconds(3))
        #expect(first.since(second) == .seconds(-3))
    }

    @Test(arguments: [(Int64.max, Int64.max), (Int64.min, Int64.min), (0, 0), (-1, -1_000_000_000)])
    func timestampsFromSecondsClamp(seconds: Int64, nanoseconds: Int64) {
        #expect(Timestamp(seconds: seconds).nanoseconds == nanoseconds)
    }
}
