import Foundation
import SondeDomain
import SondeTestKit
import Testing

@testable import sonde_simulate

@Suite struct DeliverySimulationTests {
    private static var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// The seeds of this run: one that is asked for, so many that are asked for, or 500.
    private static var seeds: ClosedRange<UInt64> {
        if let seed = environment["SIMULATION_SEED"].flatMap(UInt64.init) { return seed...seed }
        return 1...max(1, environment["SIMULATION_SEEDS"].flatMap(UInt64.init) ?? 500)
    }

    @Test func everyPointIsDeliveredOrInTheLedger() {
        var simulated = 0.0
        var points = 0
        var crashes = 0
        let began = ContinuousClock.now
        for seed in Self.seeds {
            let report = DeliverySimulation(seed: seed).run()
            simulated += report.simulated.seconds
            points += report.points
            crashes += report.crashes
            guard let violation = report.violation else { continue }
            Issue.record(
                """
                seed \(seed): \(violation)
                replay: SIMULATION_SEED=\(seed) swift test --filter DeliverySimulationTests
                \(report.trace.joined(separator: "\n"))
                """)
            if Self.environment["SIMULATION_KEEP_GOING"] == nil { return }
        }
        let span = began.duration(to: .now)
        print("\(Int(simulated)) simulated seconds, \(points) points, \(crashes) crashes in \(span)")
        #expect(points > 0)
    }

    /// Seeds that have found a defect each, most of them of a full disk and a power cut.
    @Test(arguments: [814, 2147, 3928, 6710, 7182, 14_581, 14_702, 21_249, 29_379, 60_106, 74_372] as [UInt64])
    func aSeedThatFoundADefectPasses(_ seed: UInt64) {
        #expect(DeliverySimulation(seed: seed).run().violation == nil)
    }

    @Test(arguments: [1, 7, 42] as [UInt64])
    func aSeedReplaysExactly(_ seed: UInt64) {
        let first = DeliverySimulation(seed: seed).run()
        let second = DeliverySimulation(seed: seed).run()
        #expect(first.fingerprint == second.fingerprint)
        #expect(first.trace == second.trace)
    }
}
