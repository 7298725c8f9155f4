import SondeDomain
import Synchronization
import Testing

@testable import SondeGateways

@Suite struct ControlWorkerTests {
    @Test func workThatHangsHoldsUpNobodyWhenTheWorkerGoes() throws {
        let gate = try Gate()
        let began = ContinuousClock.now
        do {
            let worker = ControlWorker()
            _ = try worker.begin {
                gate.wait()
                return []
            }
        }
        #expect(ContinuousClock.now - began < .seconds(5))
        gate.open()
    }
}
