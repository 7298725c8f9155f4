import SondeDomain
import SondeNetlink
import SondeTestKit
import Testing

@testable import ProcNetPlugin

/// How often uplinks are read between collections.
@Suite struct PeakSamplerTests {
    private static let peak = "sonde.network.interface.rate.peak"
    private static let step = "sonde.network.interface.rate.step{network.interface.name=tap0}"

    private static func bench(floor: Int64 = 10_000) throws -> LinkBench {
        let bench = LinkBench([.virtual(2, "tap0", "tun")]) {
            $0.uplinks = ["tap0"]
            $0.peakFloor = floor
        }
        try bench.collect()
        return bench
    }

    /// Reads at the pace that is asked for until `span` is over, with so many bytes per second; how often it read.
    private static func run(_ bench: LinkBench, _ span: Nanoseconds, bytesPerSecond: Double) throws -> Int {
        var (passed, count) = (Nanoseconds.zero, 0)
        while passed < span {
            let pace = bench.monitor.sampler.pace
            bench.change("tap0") { $0.counters[2] += UInt64(bytesPerSecond * pace.seconds) }
            try bench.tick(after: pace)
            passed = passed + pace
            count += 1
        }
        return count
    }

    @Test func anUplinkThatRestsIsReadOnceASecond() throws {
        let bench = try Self.bench()
        #expect(try Self.run(bench, .seconds(60), bytesPerSecond: 9_000) == 60)
        try bench.collect(after: .milliseconds(100))
        #expect(bench.value(Self.peak, "tap0", "receive") == .double(9_000))
        #expect(bench.values[Self.step] == .double(1))
    }

    @Test func afterASecondWithMuchItIsReadAtTheFullRateAndASecondWithLittleEndsThat() throws {
        let bench = try Self.bench()
        _ = try Self.run(bench, .seconds(2), bytesPerSecond: 20_000)
        #expect(bench.monitor.sampler.pace == .milliseconds(100))
        #expect(try Self.run(bench, .seconds(3), bytesPerSecond: 20_000) == 30)
        try bench.collect(after: .milliseconds(1))
        bench.change("tap0") { $0.counters[2] += 8_000 }
        try bench.tick(after: .milliseconds(99))
        try bench.collect(after: .milliseconds(1))
        #expect(bench.values[Self.step] == .double(0.099))
        _ = try Self.run(bench, .seconds(2), bytesPerSecond: 1_000)
        #expect(bench.monitor.sampler.pace == .seconds(1))
    }

    @Test func muchIsAHundredthOfTheSpeedWhereThatIsKnown() throws {
        let bench = LinkBench([.virtual(2, "tap0", "tun")]) { $0.uplinks = ["tap0"] }
        bench.speeds["tap0"] = LinkSpeed(bytesPerSecond: 1_000_000)
        try bench.collect()
        _ = try Self.run(bench, .seconds(3), bytesPerSecond: 9_900)
        #expect(bench.monitor.sampler.pace == .seconds(1))
        _ = try Self.run(bench, .seconds(3), bytesPerSecond: 11_000)
        #expect(bench.monitor.sampler.pace == .milliseconds(100))
    }

    @Test func countsThatBeganAgainAreNoTraffic() throws {
        let bench = try Self.bench()
        bench.change("tap0") { $0.counters[2] = 1 << 40 }
        try bench.tick(after: .seconds(1))
        _ = try Self.run(bench, .seconds(1), bytesPerSecond: 0)
        bench.change("tap0") { $0.counters[2] = 5 }
        try bench.tick(after: .seconds(1))
        #expect(bench.monitor.sampler.pace == .seconds(1))
    }

    /// Where a collection is made every second, it is the reading.
    @Test func atAnIntervalOfASecondARestingUplinkHasAPeakWithoutAReadingMore() throws {
        let bench = try Self.bench()
        for _ in 0..<3 {
            bench.change("tap0") { $0.counters[2] += 5_000 }
            try bench.collect(after: .seconds(1))
        }
        #expect(bench.value(Self.peak, "tap0", "receive") == .double(5_000))
        #expect(bench.values[Self.step] == .double(1))
        bench.change("tap0") { $0.counters[2] += 50_000 }
        try bench.collect(after: .seconds(1))
        #expect(bench.monitor.sampler.pace == .milliseconds(100))
    }

    @Test func afterACollectionThatWasMissedThereIsAPeakAgain() throws {
        let bench = try Self.bench()
        for span in [1_000, 1_000, 3_000, 1_000] {
            bench.change("tap0") { $0.counters[2] += 5_000 }
            try bench.collect(after: .milliseconds(Int64(span)))
            let isGap = span == 3_000
            #expect(bench.value(Self.peak, "tap0", "receive") == (isGap ? nil : .double(5_000)))
        }
        bench.change("tap0") { $0.counters[2] += 50_000 }
        try bench.collect(after: .seconds(1))
        #expect(bench.monitor.sampler.pace == .milliseconds(100))
    }

    @Test func withoutAPeakNothingIsReadInBetween() throws {
        let bench = LinkBench([.virtual(2, "tap0", "tun")]) {
            $0.uplinks = ["tap0"]
            $0.peakRate = 0
        }
        for _ in 0..<3 { try bench.collect(after: .seconds(1)) }
        #expect(bench.monitor.sampler.pace == .zero)
        #expect(bench.value(Self.peak, "tap0", "receive") == nil)
    }

    /// A driver that refreshes once a second, read once a second and a little late: twice the bytes are those of two seconds.
    @Test func aReadingThatMissedARefreshIsNoPeak() throws {
        var meter = RateMeter(period: .milliseconds(100), isImmediate: false)
        var now = MonotonicInstant(nanoseconds: 1_000_000_000)
        var total: UInt64 = 0
        for bytes in [0, 1_000, 1_000, 1_000, 0, 2_000, 1_000] {
            now = now.advanced(by: .seconds(1))
            total += UInt64(bytes)
            meter.observe(RateMeter.Pair(receive: total, transmit: 0), at: now)
        }
        #expect(meter.receive.peak == 1_000)
        #expect(meter.receive.quantile(0.95) == 1_000)
    }
}
