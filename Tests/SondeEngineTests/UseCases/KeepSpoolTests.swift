import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@Suite struct KeepSpoolTests {
    private let clock = ManualClock()
    private let log = RecordingLog()
    private let spool = TroubledSpool()
    private let keep: KeepSpool
    private let failure = SondeError.fake(.unsafeStorage, code: "SND-A")

    init() {
        keep = KeepSpool(spool: spool, ledger: LossLedger(log: log), clock: clock, log: log)
    }

    @Test func aHealthyLogNeedsNoLook() {
        #expect(keep.run() == .distantFuture)
        #expect(log.lines.isEmpty)
    }

    @Test func aDiskThatFailsForTwentyFiveMinutesIsThreeLinesAndItsEndOne() {
        spool.change { [failure] in $0.sync = failure }
        for _ in 0..<750 {
            _ = keep.run()
            clock.advance(by: .seconds(2))
        }
        #expect(log.lines(.error).count == 3)
        #expect(log.lines(.error).last?.message.hasSuffix("(300 times since the last line about it)") == true)
        spool.change { $0.sync = nil }
        _ = keep.run()
        #expect(log.lines(.info).isEmpty)
        clock.advance(by: .seconds(60))
        #expect(keep.run() == .distantFuture)
        #expect(log.lines(.info).map(\.message) == ["recovered from SND-A"])
    }

    @Test func whatLastsIsKnownFromTheFirstToAMinuteAfterTheLast() {
        spool.change { [failure] in $0.sync = failure }
        let began = clock.monotonicTime
        for _ in 0..<3 {
            _ = keep.run()
            clock.advance(by: .seconds(2))
        }
        #expect(keep.failures.map(\.error) == [failure])
        #expect(keep.failures.map(\.since) == [began])
        #expect(keep.failures.map(\.count) == [3])
        spool.change { $0.sync = nil }
        clock.advance(by: .seconds(60))
        _ = keep.run()
        #expect(keep.failures.isEmpty)
    }

    @Test func itComesBackByItselfUntilTheEndIsTold() {
        spool.change { [failure] in $0.sync = failure }
        let next = keep.run()
        #expect(next == clock.monotonicTime.advanced(by: FailureEpisodes.quiet))
        spool.change { $0.sync = nil }
        clock.advance(by: next.since(clock.monotonicTime))
        #expect(keep.run() == .distantFuture)
        #expect(log.lines(.info).count == 1)
    }

    @Test func aFailureIsNotOverWhileSomethingIsUnsafe() {
        spool.change { [failure] in $0.sync = failure }
        _ = keep.run()
        clock.advance(by: .seconds(3_600))
        keep.report()
        #expect(log.lines(.info).isEmpty)
    }
}
