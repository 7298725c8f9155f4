import SondeTestKit
import SondeWire
import Testing

@Suite struct DNSMutationTests {
    private static let fixtures: [[UInt8]] = [
        DNSMessageBuilder().asking("www.example.org").bytes,
        DNSMessageBuilder().asking("www.example.org", type: 255)
            .withEDNS(timeToLive: 0x8000, options: [0, 10, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8, 0, 8, 0, 4, 0, 1, 0, 0]).bytes,
        DNSMessageBuilder(flags: 0x8180).asking("www.example.org")
            .answering(type: 5, data: [3, 0x63, 0x64, 0x6e, 0xc0, 16])
            .answering(type: 1, data: [192, 0, 2, 1], owner: [0xc0, 45])
            .answering(type: 15, data: [0, 10, 4, 0x6d, 0x61, 0x69, 0x6c, 0xc0, 16])
            .referring(
                type: 6,
                data: [2, 0x6e, 0x73, 0xc0, 16, 1, 0x68, 0xc0, 16] + [UInt8](repeating: 1, count: 20),
                owner: [0xc0, 16]
            )
            .withEDNS(timeToLive: 0x0100_0000, options: [0, 15, 0, 4, 0, 22, 0x68, 0x69]).bytes,
    ]

    @Test(arguments: fixtures)
    func theFixtureIsSound(bytes: [UInt8]) throws {
        #expect(DNSSummary.of(bytes).extent == .whole)
        #expect(try readAll(bytes).questions == 1)
    }

    @Test(arguments: fixtures)
    func everyTruncationIsMalformed(bytes: [UInt8]) {
        for length in bytes.indices {
            #expect(DNSSummary.of(Array(bytes.prefix(length))).malformation != nil)
            #expect(throws: DNSMalformation.self) { try readAll(Array(bytes.prefix(length))) }
        }
    }

    @Test(arguments: fixtures)
    func whatTheSummaryFindsSoundIsReadNameByName(bytes: [UInt8]) {
        var disagreements = 0
        for position in bytes.indices {
            for value in UInt8.min...UInt8.max {
                var mutated = bytes
                mutated[position] = value
                let isRead = (try? readAll(mutated)) != nil
                if DNSSummary.of(mutated).extent == .whole, !isRead { disagreements += 1 }
            }
        }
        #expect(disagreements == 0)
    }

    @Test func randomBytesAreReadToSomeEnd() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<20_000 {
            var bytes = (0..<Int.random(in: 0...80, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            // Small counts, so that the walk gets beyond the header.
            for index in stride(from: 4, to: 12, by: 2) where bytes.count >= 12 {
                bytes[index] = 0
                bytes[index + 1] &= 3
            }
            let summary = DNSSummary.of(bytes)
            #expect(summary.extent == .whole || summary.malformation != nil)
        }
    }
}
