import SondeTestKit
import Testing

@testable import DNSLogPlugin

/// Lines that a plain log of dnsmasq is taken without a look for.
@Suite struct ContinuationTests {
    @Test func aLineThatIsSkippedWouldTellNothing() throws {
        let parser = LineParser(seed: 1)
        var generator = SeededGenerator(seed: 7)
        var skipped = 0
        for line in try RecordedLog.lines("dnsmasq-plain") {
            for _ in 0..<8 {
                var damaged = line
                let place = Int.random(in: max(0, line.count - 14)..<line.count, using: &generator)
                damaged[place] = Array("N 4Ae-".utf8).randomElement(using: &generator) ?? 0
                for bytes in [line, damaged] {
                    bytes.withUnsafeBytes { bytes in
                        let prefix = LogPrefix(LogBytes(bytes))
                        guard prefix.tag == .dnsmasq else { return }
                        guard LineParser.isDnsmasqContinuation(LogBytes(bytes).from(prefix.start)) else { return }
                        skipped += 1
                        let event = parser.event(.dnsmasq, LogBytes(bytes), prefix)
                        #expect(event.kind == .noise, "\(String(decoding: bytes, as: UTF8.self))")
                    }
                }
            }
        }
        // Two of three lines of the recording are such.
        #expect(skipped > 20_000)
    }
}
