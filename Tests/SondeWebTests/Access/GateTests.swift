import SondeDomain
import SondeTestKit
import Testing

@testable import SondeWeb

@Suite struct GateTests {
    @Test func aBrowserThatHasShownTheTokenIsKnownForADay() async throws {
        let clock = ManualClock()
        let gate = Gate(Token(), clock: clock) { _ in }
        let cookie = await gate.admit()
        #expect(await gate.isAdmitted(cookie))
        #expect(!(await gate.isAdmitted("sonde")))
        clock.advance(by: .seconds(86_399))
        #expect(await gate.isAdmitted(cookie))
        clock.advance(by: .seconds(1))
        #expect(!(await gate.isAdmitted(cookie)))
    }

    @Test func theOldestOfAThousandBrowsersIsForgotten() async {
        let clock = ManualClock()
        let gate = Gate(Token(), clock: clock) { _ in }
        let first = await gate.admit()
        clock.advance(by: .seconds(1))
        for _ in 0..<999 { _ = await gate.admit() }
        #expect(await gate.isAdmitted(first))
        let last = await gate.admit()
        #expect(!(await gate.isAdmitted(first)))
        #expect(await gate.isAdmitted(last))
    }

    @Test func aRightTokenIsNotSlowAndAWrongOneIsCounted() async {
        let token = Token()
        let gate = Gate(token, clock: ManualClock()) { _ in }
        let begin = ContinuousClock.now
        #expect(await gate.check(token.text, from: "here") == .right)
        #expect(ContinuousClock.now - begin < .milliseconds(900))
        #expect(await gate.wrongTokens == 0)
        #expect(await gate.check("x", from: "here") == .wrong)
        #expect(ContinuousClock.now - begin >= .seconds(1))
        #expect(await gate.wrongTokens == 1)
    }
}
