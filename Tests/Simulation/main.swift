// Delivery in simulated time, one seed after the other (docs/guide/simulation.md). In the environment: SIMULATION_SEED
// runs one seed and prints its trace, SIMULATION_SEEDS so many, SIMULATION_FIRST from which on.

import Glibc
import SondeDomain
import SondeTestKit

func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }

func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

let single = number("SIMULATION_SEED")
let first = single ?? number("SIMULATION_FIRST") ?? 1
let count = single == nil ? max(1, number("SIMULATION_SEEDS") ?? 500) : 1
let began = now()
var simulated = 0.0
var points = 0
var crashes = 0
var failures = 0
for seed in first..<(first &+ count) {
    let report = DeliverySimulation(seed: seed, traceLength: single == nil ? 60 : .max).run()
    simulated += report.simulated.seconds
    points += report.points
    crashes += report.crashes
    if single != nil || report.violation != nil { print(report.trace.joined(separator: "\n")) }
    if single != nil { print("fingerprint \(report.fingerprint)") }
    guard let violation = report.violation else { continue }
    failures += 1
    print("seed \(seed): \(violation)")
    print("replay: SIMULATION_SEED=\(seed) make simulate\n")
}
let span = now() - began
print(
    "\(count) seeds, \(failures) failed: \(Int(simulated)) simulated seconds, \(points) points, \(crashes) crashes"
        + " in \(Int(span)) s: \(Int(simulated / span)) simulated seconds per second")
exit(failures == 0 ? 0 : 1)
