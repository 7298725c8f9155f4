import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@Suite struct FailureEpisodesTests {
    private func at(_ seconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
    }

    private let dead = SondeError.fake(.unsafeStorage, code: "SND-A")
    private let full = SondeError.fake(.resource, code: "SND-B")

    @Test func aFailureThatGoesOnIsToldOnceAndThenEveryTenMinutesWithItsCount() {
        var episodes = FailureEpisodes()
        var told: [FailureEpisodes.Report] = []
        for second in stride(from: 0, through: 1_500, by: 2) as StrideThrough<Int64> {
            told += episodes.take([dead], at: at(second)) + episodes.settle(at: at(second))
        }
        #expect(told == [.began(dead), .lasts(dead, count: 300), .lasts(dead, count: 300)])
    }

    @Test func anotherFailureIsToldBesidesIt() {
        var episodes = FailureEpisodes()
        #expect(episodes.take([dead, dead, full, dead], at: at(0)) == [.began(dead), .began(full)])
    }

    @Test func itsEndIsToldWhenItHasStayedAwayForAMinute() {
        var episodes = FailureEpisodes()
        #expect(episodes.nextLook == nil)
        _ = episodes.take([dead], at: at(0))
        _ = episodes.take([dead], at: at(50))
        #expect(episodes.nextLook == at(110))
        #expect(episodes.settle(at: at(109)).isEmpty)
        #expect(episodes.settle(at: at(110)) == [.ended(dead.code)])
        #expect(episodes.settle(at: at(111)).isEmpty)
        #expect(episodes.nextLook == nil)
        #expect(episodes.take([dead], at: at(120)) == [.began(dead)])
    }

    @Test func everyDamagedPartIsAnEventOfItsOwn() {
        let damaged = SondeError.fake(.corruptInput, code: "SND-C")
        var episodes = FailureEpisodes()
        #expect(episodes.take([damaged, damaged], at: at(0)) == [.began(damaged), .began(damaged)])
        #expect(episodes.nextLook == nil)
    }
}
