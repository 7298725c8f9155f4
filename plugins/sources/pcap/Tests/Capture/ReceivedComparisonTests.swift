import SondeDomain
import SondeNetlink
import SondePluginKit
import Testing

@testable import PcapPlugin

/// What was captured of what an interface received, against the kernel's count of the same stretches.
@Suite struct ReceivedComparisonTests {
    private static let begin: Int64 = 1_767_225_600_000_000_000

    private final class Bench {
        var marked = MarkedCounts()
        var comparison = ReceivedComparison(7)
        var totals = ReceivedComparison.Totals()
        var wall = ReceivedComparisonTests.begin
        var monotonic: Int64 = 5_000_000_000
        var kernel = ReceivedCounts(packets: 1_000, bytes: 1_000_000)

        func pass(_ milliseconds: Int64, clockStep: Int64 = 0) {
            monotonic += milliseconds * 1_000_000
            wall += (milliseconds + clockStep) * 1_000_000
        }

        /// So many packets of 100 bytes come, and are handed on at once.
        func receive(_ count: Int) {
            for _ in 0..<count { marked.add(length: 100, at: wall) }
            kernel = kernel &+ ReceivedCounts(packets: UInt64(count), bytes: UInt64(count) * 100)
        }

        func compare(_ kernel: ReceivedCounts?) {
            let now = ReceivedComparison.Moment(
                wall: Timestamp(nanoseconds: wall), monotonic: MonotonicInstant(nanoseconds: monotonic))
            comparison.take(kernel, at: now, &marked, into: &totals)
        }

        func compare() { compare(kernel) }
    }

    private func counts(_ packets: UInt64) -> ReceivedCounts { ReceivedCounts(packets: packets, bytes: packets * 100) }

    @Test func onlyWhatLiesBetweenTwoMarksIsCompared() {
        let bench = Bench()
        bench.receive(50)
        bench.pass(100)
        bench.compare()
        bench.pass(1_000)
        bench.receive(30)
        bench.pass(1)
        bench.compare()
        #expect(bench.totals == ReceivedComparison.Totals())
        bench.pass(1_000)
        bench.receive(7)
        bench.pass(1)
        bench.compare()
        #expect(bench.totals == ReceivedComparison.Totals(captured: counts(30), counted: counts(30)))
        bench.pass(1_000)
        bench.compare()
        #expect(bench.totals == ReceivedComparison.Totals(captured: counts(37), counted: counts(37)))
    }

    @Test func aPacketThatComesLateBelongsToItsOwnTime() {
        let bench = Bench()
        bench.compare()
        bench.pass(1_000)
        // The kernel has counted it, the capture still holds it back.
        let time = bench.wall
        bench.kernel = bench.kernel &+ counts(1)
        bench.pass(1)
        bench.compare()
        bench.pass(50)
        bench.marked.add(length: 100, at: time)
        bench.receive(4)
        bench.pass(950)
        bench.compare()
        #expect(bench.totals == ReceivedComparison.Totals(captured: counts(1), counted: counts(1)))
    }

    @Test func whatHasNotSettledIsWaitedFor() {
        let bench = Bench()
        for _ in 0..<20 {
            bench.compare()
            bench.receive(1)
            bench.pass(100)
        }
        #expect(bench.totals.captured.packets >= 5)
        #expect(bench.totals.captured == bench.totals.counted)
    }

    @Test func droppedPacketsAreMissing() {
        let bench = Bench()
        for _ in 0..<4 {
            bench.compare()
            bench.pass(1_000)
            bench.receive(8)
            bench.kernel = bench.kernel &+ counts(2)
            bench.pass(1)
        }
        bench.compare()
        #expect(bench.totals.captured == counts(24))
        #expect(bench.totals.counted == counts(30))
    }

    @Test(arguments: [-3_600_000, -100, 100, 3_600_000] as [Int64])
    func aStretchInWhichTheClockWasSetIsNotCompared(_ step: Int64) {
        let bench = Bench()
        for round in 0..<8 {
            bench.compare()
            bench.pass(1_000, clockStep: round == 3 ? step : 0)
            bench.receive(10)
            bench.pass(1)
        }
        bench.compare()
        #expect(bench.totals.captured == bench.totals.counted)
        #expect((30...60).contains(bench.totals.captured.packets))
    }

    @Test func aCounterThatFellOrIsGoneBeginsAnew() {
        let bench = Bench()
        for round in 0..<10 {
            if round == 4 { bench.kernel = ReceivedCounts() }
            bench.compare(round == 7 ? nil : bench.kernel)
            bench.pass(1_000)
            bench.receive(10)
            bench.pass(1)
        }
        #expect(bench.totals.captured == bench.totals.counted)
        #expect(bench.totals.captured.packets > 0)
    }

    private func link(
        _ kind: String?,
        type: UInt16 = 1,
        master: Int32? = nil,
        isLoopback: Bool = false,
        index: Int32 = 3,
        lower: Int32? = nil
    ) -> LinkDescription {
        var link = LinkDescription(
            NetworkLink(
                index: index, name: "eth0", kind: kind, isLoopback: isLoopback, master: master, lower: lower))
        link.hardwareType = type
        link.address = "02:00:00:00:00:01"
        return link
    }

    @Test func whatTellsReceivedPacketsDependsOnTheLink() {
        func view(_ link: LinkDescription, isCooked: Bool = false, _ others: [LinkDescription] = []) -> ReceivedView? {
            ReceivedView(link, among: others + [link], isCooked: isCooked)
        }
        let own = ReceivedView.Direction.source(0x0200_0000_0001)
        #expect(view(link(nil)) == ReceivedView(direction: own, surplus: 0))
        #expect(view(link("veth")) == ReceivedView(direction: own, surplus: 0))
        #expect(view(link("bridge")) == ReceivedView(direction: own, surplus: 14))
        #expect(view(link(nil, type: 772, isLoopback: true)) == ReceivedView(direction: .all, surplus: 14))
        #expect(view(link("veth"), isCooked: true) == ReceivedView(direction: .packetType, surplus: 6))
        #expect(view(link("bridge"), isCooked: true) == ReceivedView(direction: .packetType, surplus: 20))
        // ARPHRD_NONE: without a link header there is no address to distinguish by.
        #expect(view(link("tun", type: 65_534)) == nil)
        #expect(view(link("tun", type: 65_534), isCooked: true) == ReceivedView(direction: .packetType, surplus: 20))
        // A port of a bridge sends what others have sent, under their addresses.
        let bridge = link("bridge", index: 9)
        #expect(view(link("veth", master: 9), [bridge]) == nil)
        #expect(view(link("veth", master: 9), isCooked: true, [bridge])?.direction == .packetType)
        #expect(view(link("veth", master: 9), [link("bond", index: 9)])?.direction == own)
        #expect(view(link(nil), [link("macvlan", index: 9, lower: 3)]) == nil)
    }

    @Test func theBeginningOfAPacketTellsItsDirection() {
        func isReceived(_ direction: ReceivedView.Direction, _ bytes: [UInt8]) -> Bool {
            bytes.withUnsafeBytes { direction.isReceived($0) }
        }
        let frame: [UInt8] = [2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0]
        #expect(isReceived(.source(0x0200_0000_0001), frame))
        #expect(!isReceived(.source(0x0200_0000_0002), frame))
        for length in 0..<14 { #expect(isReceived(.source(0x0200_0000_0002), Array(frame.prefix(length)))) }
        var cooked = [UInt8](repeating: 0, count: 20)
        #expect(isReceived(.packetType, cooked))
        cooked[10] = 4
        #expect(!isReceived(.packetType, cooked))
        for length in 0...10 { #expect(!isReceived(.packetType, Array(cooked.prefix(length)))) }
        #expect(isReceived(.all, []))
    }
}
