import SondeDomain
import SondeTestKit
import Synchronization
import Testing

@testable import SondeEngine

/// How a backlog is drained after an outage.
@Suite struct DeliverBatchesPacingTests {
    @Test func theTimeOfADeliveryIsPartOfThePause() {
        let gaps = Self.gapsAfterAnOutage(deliveryTakes: .seconds(1))
        // 10 points per second were collected: at four times that a batch of 100 lasts 2.5 s, however long it takes.
        #expect(gaps.count > 10 && gaps.allSatisfy { abs($0 - 2.5) < 0.2 }, "\(gaps)")
    }

    @Test func aDeliveryThatTakesLongerThanThePauseIsFollowedByTheNext() {
        let gaps = Self.gapsAfterAnOutage(deliveryTakes: .seconds(4))
        #expect(gaps.count > 10 && gaps.allSatisfy { abs($0 - 4) < 0.2 }, "\(gaps)")
    }

    /// Seconds between the offers of an outage's backlog, from the fourth that was accepted on.
    private static func gapsAfterAnOutage(deliveryTakes span: Nanoseconds) -> [Double] {
        let clock = Mutex<ManualClock?>(nil)
        let accepted = Mutex(0)
        let bench = SinkBench(.fake(samples: 100)) { _, _, _ throws(SondeError) in
            guard let clock = clock.withLock({ $0 }), clock.monotonicTime.nanoseconds > 1_000_000_000_000 else {
                throw .fake(.transient)
            }
            clock.advance(by: span)
            accepted.withLock { $0 += 1 }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        clock.withLock { $0 = bench.clock }
        for _ in 0..<1_000 {
            bench.commit(10)
            bench.run(for: .seconds(1))
        }
        while accepted.withLock({ $0 }) < 20 { bench.run(for: .seconds(1)) }
        let offers = bench.offers.suffix(accepted.withLock { $0 }).dropFirst(3)
        return zip(offers.dropFirst(), offers).map { $0 - $1 }
    }
}
