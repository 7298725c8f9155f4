import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

@Suite struct SyncScheduleTests {
    private let wakeup = RecordingWakeup()

    private func at(_ milliseconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: 1_000_000_000_000 + milliseconds * 1_000_000)
    }

    @Test func whatIsAppendedIsSafeAfterALittleMoreThanASecond() {
        let schedule = SyncSchedule(wakeup: wakeup)
        schedule.appended(wasSettled: true, unsafeBytes: 100, at: at(0))
        #expect(wakeup.instants == [at(1_250)])
    }

    @Test func laterAppendsDoNotPutItOff() {
        let schedule = SyncSchedule(wakeup: wakeup)
        schedule.appended(wasSettled: true, unsafeBytes: 100, at: at(0))
        for step in 1...9 { schedule.appended(wasSettled: false, unsafeBytes: 200, at: at(Int64(step) * 100)) }
        #expect(wakeup.instants == [at(1_250)])
    }

    @Test func whatASinkMadeSafeNeedsNoWake() {
        let schedule = SyncSchedule(wakeup: wakeup)
        for step in 0...20 { schedule.appended(wasSettled: true, unsafeBytes: 100, at: at(Int64(step) * 500)) }
        let last = wakeup.instants.last
        #expect(last == at(11_250))
    }

    @Test func aTimerThatFiresAtThisInstantIsNotTakenBack() {
        let schedule = SyncSchedule(wakeup: wakeup)
        schedule.appended(wasSettled: true, unsafeBytes: 100, at: at(0))
        schedule.appended(wasSettled: false, unsafeBytes: 200, at: at(1_250))
        schedule.appended(wasSettled: false, unsafeBytes: 300, at: at(1_251))
        #expect(wakeup.instants == [at(1_250)])
    }

    @Test func muchIsMadeSafeAtOnceAndOnlyOnce() {
        let schedule = SyncSchedule(wakeup: wakeup)
        schedule.appended(wasSettled: true, unsafeBytes: 1_000, at: at(0))
        schedule.appended(wasSettled: false, unsafeBytes: SyncSchedule.mostUnsafeBytes, at: at(10))
        #expect(wakeup.instants.last == at(10))
        let count = wakeup.instants.filter { $0 == at(10) }.count
        schedule.appended(wasSettled: false, unsafeBytes: SyncSchedule.mostUnsafeBytes + 1_000, at: at(20))
        #expect(count == 1)
        #expect(wakeup.instants.last == at(1_250))
        schedule.appended(wasSettled: false, unsafeBytes: 2 * SyncSchedule.mostUnsafeBytes, at: at(30))
        #expect(wakeup.instants.last == at(30))
    }

    @Test func aLogThatCannotBeMadeSafeIsTriedAfterTheSameTime() {
        let schedule = SyncSchedule(wakeup: wakeup)
        schedule.appended(wasSettled: true, unsafeBytes: 100, at: at(0))
        for step in 1...50 { schedule.appended(wasSettled: false, unsafeBytes: 100, at: at(Int64(step) * 100)) }
        #expect(wakeup.instants == [at(1_250), at(2_500), at(3_800)])
    }

    @Test func whereASinkHasSyncedEverythingTheTimerIsSetOff() {
        let schedule = SyncSchedule(wakeup: wakeup)
        schedule.appended(wasSettled: true, unsafeBytes: 100, at: at(0))
        schedule.sinkHasSynced(isSettled: true)
        #expect(wakeup.instants == [at(1_250), at(60_000)])
        schedule.sinkHasSynced(isSettled: true)
        schedule.appended(wasSettled: true, unsafeBytes: 100, at: at(10_000))
        #expect(wakeup.instants == [at(1_250), at(60_000), at(11_250)])
    }

    @Test func whatWasAppendedAfterASinkHasSyncedIsNotForgotten() {
        let schedule = SyncSchedule(wakeup: wakeup)
        schedule.appended(wasSettled: true, unsafeBytes: 100, at: at(0))
        schedule.sinkHasSynced(isSettled: false)
        #expect(wakeup.instants == [at(1_250)])
    }

    @Test func aLogThatSinksKeepSafeIsTidiedOnceAMinute() {
        let schedule = SyncSchedule(wakeup: wakeup)
        var fired: [MonotonicInstant] = []
        for step in 0...1_800 {
            let now = at(Int64(step) * 100)
            if let armed = wakeup.instants.last, armed <= now, fired.last != armed { fired.append(armed) }
            schedule.appended(wasSettled: true, unsafeBytes: 100, at: now)
        }
        #expect(fired == [at(60_000), at(120_000), at(180_000)])
    }
}
