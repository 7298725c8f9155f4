import SondeDomain
import SondeTestKit
import Testing

@testable import ProcNetPlugin

@Suite struct RateMeterTests {
    /// A meter that is read ten times a second.
    private struct Bench {
        var meter: RateMeter
        private var now = MonotonicInstant(nanoseconds: 1_000_000_000)
        private var total: UInt64 = 5_000

        init(isImmediate: Bool) {
            meter = RateMeter(period: .milliseconds(100), isImmediate: isImmediate)
            meter.observe(RateMeter.Pair(receive: total, transmit: 0), at: now)
        }

        mutating func tick(_ bytes: UInt64, after milliseconds: Int64 = 100) {
            now = now.advanced(by: .milliseconds(milliseconds))
            total &+= bytes
            meter.observe(RateMeter.Pair(receive: total, transmit: 0), at: now)
        }

        mutating func reset() {
            total = 0
            tick(0)
        }
    }

    @Test func aBurstOfOneTickIsThePeak() {
        var bench = Bench(isImmediate: true)
        for bytes in [100, 100, 50_000, 100, 0] { bench.tick(UInt64(bytes)) }
        #expect(bench.meter.receive.peak == 500_000)
        #expect(bench.meter.receive.quantile(0.5) == 1_000)
        #expect(bench.meter.receive.quantile(0.95) == 500_000)
        #expect(bench.meter.transmit.peak == 0)
        #expect(bench.meter.receive.peakWindow == .milliseconds(100))
    }

    @Test func aLateTickIsMeasuredOverTheTimeItTook() {
        var bench = Bench(isImmediate: true)
        bench.tick(10_000, after: 400)
        #expect(bench.meter.receive.peak == 25_000)
    }

    /// A driver that copies its counts once a second: ten kilobytes per second, not a hundred every tenth tick.
    @Test func whatADriverHoldsBackIsSpreadOverItsStep() {
        var bench = Bench(isImmediate: false)
        for second in 0..<6 {
            for _ in 0..<9 { bench.tick(0) }
            bench.tick(10_000)
            if second == 1 { bench.meter.beginInterval() }
        }
        #expect(bench.meter.receive.peak == 10_000)
        #expect(bench.meter.receive.quantile(0.5) == 10_000)
        #expect(bench.meter.receive.peakWindow == .seconds(1))
    }

    @Test func oneThatWasSeenToCountAtEveryTickIsBelievedToGoOn() {
        var bench = Bench(isImmediate: false)
        for _ in 0..<3 { bench.tick(100) }
        bench.meter.beginInterval()
        for _ in 0..<20 { bench.tick(0) }
        bench.tick(50_000)
        #expect(bench.meter.receive.peak == 500_000)
        #expect(bench.meter.receive.peakWindow == .milliseconds(100))
        #expect(bench.meter.receive.quantile(0.5) == 0)
    }

    @Test func aLinkOnWhichNothingHappensRests() {
        var bench = Bench(isImmediate: false)
        for _ in 0..<20 { bench.tick(0) }
        #expect(bench.meter.receive.peak == nil, "its driver may hold back")
        for _ in 0..<60 { bench.tick(0) }
        #expect(bench.meter.receive.peak == 0)
    }

    @Test func countsThatBeganAgainAreNoRate() {
        var bench = Bench(isImmediate: true)
        bench.tick(100)
        bench.reset()
        #expect(bench.meter.receive.peak == 1_000)
        bench.tick(200)
        #expect(bench.meter.receive.peak == 2_000)
    }

    @Test func samplesAreBoundedAndThePeakIsExact() {
        var samples = RateSamples()
        for index in 0..<100_000 { samples.add(Double(index % 1_000), over: .milliseconds(100)) }
        samples.add(123_456, over: .milliseconds(20))
        #expect(samples.peakWindow == .milliseconds(20))
        #expect(samples.peak == 123_456)
        let median = samples.quantile(0.5) ?? 0
        #expect(abs(median - 500) < 60)
        samples.removeAll()
        #expect(samples.peak == nil)
        #expect(samples.quantile(0.95) == nil)
    }

    @Test func theTotalsPeakIsTheLargestSumOfOneTick() throws {
        let bench = LinkBench([.virtual(2, "tap0", "tun"), .virtual(3, "tap1", "tun")]) {
            $0.uplinks = ["tap0", "tap1"]
        }
        try bench.collect()
        // Each has its own burst; the largest sum is that of the third tick.
        for (first, second) in [(0, 0), (5_000, 0), (4_000, 4_000), (0, 6_000)] {
            bench.change("tap0") { $0.counters[2] += UInt64(first) }
            bench.change("tap1") { $0.counters[2] += UInt64(second) }
            try bench.tick()
        }
        try bench.collect()
        let peak = "sonde.network.interface.rate.peak"
        #expect(bench.value(peak, "tap0", "receive") == .double(50_000))
        #expect(bench.value(peak, "tap1", "receive") == .double(60_000))
        #expect(bench.values["sonde.network.host.rate.peak{network.io.direction=receive}"] == .double(80_000))
        #expect(bench.values["sonde.network.host.rate.step"] == .double(0.1))
        #expect(bench.value("sonde.network.interface.rate.average", "tap0", "receive") == .double(9_000 / 10.4))
        try bench.collect()
        #expect(bench.value(peak, "tap0", "receive") == nil, "nothing was measured since")
    }

    @Test func anUplinkThatVanishesBetweenCollectionsIsLeftOut() throws {
        let bench = LinkBench([.virtual(2, "tap0", "tun"), .virtual(3, "tap1", "tun")]) {
            $0.uplinks = ["tap0", "tap1"]
        }
        try bench.collect()
        bench.kernel.links.removeLast()
        bench.change("tap0") { $0.counters[2] += 1_000 }
        try bench.tick()
        bench.change("tap0") { $0.counters[2] += 1_000 }
        try bench.tick()
        try bench.collect()
        #expect(bench.value("sonde.network.interface.rate.peak", "tap0", "receive") == .double(10_000))
    }

    @Test func aCollectionIsTheLastReadingOfItsInterval() throws {
        let bench = LinkBench([.virtual(2, "tap0", "tun")]) { $0.uplinks = ["tap0"] }
        try bench.collect()
        try bench.tick()
        bench.change("tap0") { $0.counters[2] += 5_000 }
        try bench.collect(after: .milliseconds(100))
        #expect(bench.value("sonde.network.interface.rate.peak", "tap0", "receive") == .double(50_000))
        #expect(bench.values["sonde.network.host.rate.peak{network.io.direction=receive}"] == .double(50_000))
        bench.change("tap0") { $0.counters[2] += 900 }
        try bench.tick()
        try bench.collect(after: .milliseconds(100))
        #expect(bench.value("sonde.network.interface.rate.peak", "tap0", "receive") == .double(9_000))
    }

    @Test func withoutReadingsBetweenCollectionsThereIsNoPeak() throws {
        let bench = LinkBench([.virtual(2, "tap0", "tun")]) { $0.uplinks = ["tap0"] }
        for _ in 0..<3 {
            bench.change("tap0") { $0.counters[2] += 5_000 }
            try bench.collect()
        }
        #expect(bench.value("sonde.network.interface.rate.average", "tap0", "receive") == .double(500))
        #expect(bench.value("sonde.network.interface.rate.peak", "tap0", "receive") == nil)
    }

    @Test func theTotalOfATickIsNotKnownWhereOneUplinkIsNot() throws {
        let bench = LinkBench([.virtual(2, "tap0", "tun"), .hardware(3, "eth0")]) { $0.uplinks = ["tap0", "eth0"] }
        try bench.collect()
        let peak = "sonde.network.host.rate.peak{network.io.direction=receive}"
        // The first change of a card's counts: since when its driver held it back is not known.
        for _ in 0..<2 {
            bench.change("tap0") { $0.counters[2] += 1_000 }
            try bench.tick()
        }
        bench.change("eth0") { $0.counters[2] += 9_000 }
        try bench.tick()
        try bench.collect(after: .milliseconds(100))
        #expect(bench.value("sonde.network.interface.rate.peak", "tap0", "receive") == .double(10_000))
        #expect(bench.values[peak] == nil)
        for _ in 0..<2 {
            bench.change("tap0") { $0.counters[2] += 1_000 }
            bench.change("eth0") { $0.counters[2] += 9_000 }
            try bench.tick()
        }
        try bench.collect(after: .milliseconds(100))
        #expect(bench.values[peak] == .double(100_000))
    }

    @Test func theRateOfTicksIsTheOptions() {
        var settings = LinkSettings()
        #expect(settings.peakPeriod == .milliseconds(100))
        settings.peakRate = 50
        #expect(settings.peakPeriod == .milliseconds(20))
        settings.peakRate = 0
        #expect(settings.peakPeriod == .zero)
    }
}
