import SondeDNS
import SondePluginKit
import SondeTestKit
import SondeWire
import Testing

@testable import DNSLogPlugin

/// Clients that chose their addresses so that they are one under a multiplication whose factor is public.
@Suite struct ChosenClientsTests {
    private static let firstFactor: UInt64 = 0x9e37_79b9_7f4a_7c15
    private static let secondFactor: UInt64 = 0xa076_1d64_78bd_642f
    private static let network: UInt64 = 0x2001_0db8_0000_0000

    @Test func chosenClientsAreAsManyAsTheyAre() {
        let pipeline = LogPipeline(.forTests, seed: .random(in: .min ... .max))
        let stream = pipeline.open()
        for number in 1...500 as ClosedRange<UInt64> {
            let high = Self.network | number
            let client = IPAddress(high: high, low: high &* Self.firstFactor ^ 77)
            Array("Nov 21 01:06:00 dnsmasq[1]: query[A] a.example from \(client)".utf8)
                .withUnsafeBytes { pipeline.take($0, stream) }
        }
        pipeline.withEach { #expect((450...550).contains($0.totals.top.distinctClients.estimate)) }
    }

    /// Those that come in turn would else be handed on one by one.
    @Test func chosenClientsDoNotShareAPlace() {
        let numbers = (0 as UInt64..<400_000).filter { ($0 &* Self.secondFactor) >> 52 == 9 }.prefix(64)
        #expect(numbers.count == 64)
        // One seed of 1,500 has so many of them share places that 200 are handed on.
        var generator = SeededGenerator(seed: 1)
        var handedOn = 0
        for _ in 0..<20 {
            var tally = ClientTally(placeBits: 12, seed: generator.next())
            for _ in 0..<10 {
                for number in numbers {
                    let client = IPAddress(high: Self.network, low: Self.network &* Self.firstFactor ^ number)
                    if tally.add(client).count > 0 { handedOn += 1 }
                }
            }
        }
        #expect(handedOn < 20 * 50)
    }
}
