import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

@Suite struct ClockTests {
    /// A second after boot: a time daemon that is known not to have set the clock would be waited for.
    @Test(arguments: [(nil, false), (1_794_900_000, false), (1_795_100_000, true)] as [(Int64?, Bool)])
    func whereNothingIsKnownOfATimeDaemonWhatIsRecordedDecides(recorded: Int64?, isSuspect: Bool) {
        let clock = StandingClock(Timestamp(seconds: 1_795_000_000), MonotonicInstant(nanoseconds: 1_000_000_000))
        #expect(clock.isSynchronized == nil)
        let log = RecordingLog()
        let hold = ClockHold(
            release: Timestamp(seconds: 1_793_491_200), recorded: recorded.map { Timestamp(seconds: $0) }, clock: clock,
            ledger: LossLedger(log: log), log: log)
        #expect(hold.isSuspect == isSuspect)
    }
}
