import SondeDomain
import Testing

@testable import SondeEngine

@Suite struct RemoteStateTests {
    private static func onTrial(good: UInt64? = 1, _ serial: UInt64 = 2) -> RemoteState {
        var state = RemoteState()
        if let good {
            state.begin(RemoteBench.layer(good), failing: [])
            state.succeed()
        }
        state.begin(RemoteBench.layer(serial), failing: ["central SND-HTTP401"])
        return state
    }

    @Test func aLayerIsInForceFromItsTrialAndGoodFromItsProof() {
        var state = Self.onTrial()
        #expect(state.inForce?.serial == 2)
        #expect(state.good?.serial == 1)
        state.succeed()
        #expect(state.inForce?.serial == 2)
        #expect(state.good?.serial == 2)
        #expect(state.probation == nil)
    }

    @Test func takingBackLeavesTheGoodOneAndTheHighestSerial() {
        var state = Self.onTrial()
        state.takeBack(because: "x")
        #expect(state.inForce?.serial == 1)
        #expect(state.newest == 2)
        #expect(state.failed == .init(serial: 2, etag: "\"2\"", reason: "x"))
        #expect(state.etag == "\"2\"")
    }

    @Test func aLaterLayerKeepsWhatFailedBeforeTheFirst() {
        var state = Self.onTrial()
        state.begin(RemoteBench.layer(3), failing: ["central SND-HTTP404"])
        #expect(state.probation?.before == ["central SND-HTTP401"])
        #expect(state.good?.serial == 1)
    }

    @Test func theThirdStartWithoutAStopIsACrashLoop() {
        var state = Self.onTrial()
        for _ in 1..<RemoteState.crashLoop { state.start() }
        #expect(state.inForce?.serial == 2)
        state.start()
        #expect(state.inForce?.serial == 1)
        #expect(state.failed?.serial == 2)
    }

    @Test func plannedStopsAreNoCrashLoop() {
        var state = Self.onTrial()
        for _ in 0..<10 {
            state.start()
            state.stop()
        }
        #expect(state.inForce?.serial == 2)
    }

    @Test func startsWithAGoodLayerAreNotCounted() {
        var state = Self.onTrial()
        state.succeed()
        let good = state
        for _ in 0..<10 { state.start() }
        #expect(state == good)
    }
}
