import SondeTestKit
import Testing

@testable import PcapPlugin

/// The busiest second, for any order of packets.
@Suite struct PeakSecondTests {
    private func peak(_ packets: [(time: Int64, length: UInt32)]) -> UInt64? {
        var peak = PeakSecond()
        for packet in packets { peak.add(packet.length, at: packet.time) }
        return peak.bytes
    }

    @Test func withoutAPacketThereIsNone() {
        #expect(peak([]) == nil)
    }

    @Test func secondsAreCountedFromTheFirstPacket() {
        let start: Int64 = 700_000_000
        #expect(peak([(start, 10), (start + 999_999_999, 20), (start + 1_000_000_000, 25)]) == 30)
    }

    @Test func packetsBeforeTheFirstBelongToSecondsOfTheirOwn() {
        #expect(peak([(0, 10), (-1, 20), (-1_000_000_000, 20), (-1_000_000_001, 30)]) == 40)
    }

    @Test func timesAtBothEndsNeverTrap() {
        #expect(peak([(.max, 10), (.min, 20), (0, 5), (.min + 1, 1)]) != nil)
        #expect(peak([(.min, 10), (.max, 20)]) != nil)
    }

    @Test func anyOrderWithinTheSpanGivesTheSamePeak() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let packets = (0..<300).map { _ in
                (
                    time: Int64.random(in: 0..<30_000_000_000, using: &generator),
                    length: UInt32.random(in: 60...1_500, using: &generator)
                )
            }
            var sums: [Int64: UInt64] = [:]
            for packet in packets {
                let (distance, origin) = (packet.time - packets[0].time, Int64(1_000_000_000))
                let second = distance >= 0 ? distance / origin : (distance - origin + 1) / origin
                sums[second, default: 0] += UInt64(packet.length)
            }
            #expect(peak(packets) == sums.values.max())
        }
    }
}
