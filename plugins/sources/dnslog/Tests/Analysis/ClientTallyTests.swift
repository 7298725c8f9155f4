import SondeDNS
import SondePluginKit
import SondeWire
import Testing

@testable import DNSLogPlugin

@Suite struct ClientTallyTests {
    @Test(arguments: [1, 4, 12])
    func everyQueryIsHandedOnOnce(_ placeBits: Int) {
        var tally = ClientTally(placeBits: placeBits, seed: 5)
        var counts: [IPAddress: UInt64] = [:]
        for round in 0..<50 as Range<UInt64> {
            for number in 0..<(round % 40) {
                let entry = tally.add(IPAddress(high: number / 2, low: number))
                if entry.count > 0 { counts[entry.client, default: 0] += entry.count }
            }
        }
        for _ in 0..<2 { tally.drain { counts[$0.client, default: 0] += $0.count } }
        for number in 0..<39 as Range<UInt64> {
            let rounds = (0..<50).filter { $0 % 40 > number }.count
            #expect(counts[IPAddress(high: number / 2, low: number)] == UInt64(rounds))
        }
        #expect(counts[IPAddress(high: 19, low: 39)] == nil)
    }

    @Test func whatWasHandedOnIsNotCountedAgain() {
        var tally = ClientTally(placeBits: 1, seed: 5)
        _ = tally.add(IPAddress(ipv4: 1))
        tally.drain { _ in }
        var count: UInt64 = 0
        _ = tally.add(IPAddress(ipv4: 1))
        tally.drain { count += $0.count }
        #expect(count == 1)
    }

    @Test func clientsOfTwoIntervalsAreToldForTheirOwn() {
        let pipeline = LogPipeline(.forTests, seed: 1)
        let stream = pipeline.open()
        for (interval, count) in [3, 2].enumerated() {
            for client in 1...count {
                Array("Nov 21 01:06:0\(interval) dnsmasq[1]: query[A] a.example from 192.0.2.\(client)".utf8)
                    .withUnsafeBytes { pipeline.take($0, stream) }
            }
            pipeline.withEach { analysis in
                #expect(analysis.totals.top.clients.total == UInt64(count))
                #expect(analysis.totals.top.clients.count == count)
                #expect(analysis.totals.top.distinctClients.estimate == UInt64(count))
            }
            pipeline.startInterval()
        }
    }

    @Test func moreClientsThanTheTableHoldsAreAllCounted() {
        let lines = (0..<30_000).map {
            "Nov 21 01:06:00 dnsmasq[1]: query[A] a.example from 10.\($0 / 65_536).\($0 / 256 % 256).\($0 % 256)"
        }
        let log = CountedLog(lines)
        #expect(log.clients.values.reduce(0, +) == 30_000)
    }
}
