import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

/// Damaged files never crash the reader and always end; every problem names a place in a file that was read.
@Suite struct ConfigurationMutationTests {
    private static let text = """
        version: 1
        agent:
          interval: 10s            # a comment
          labels: &labels { site: fra1, "rack": 'a b' }
          log: { level: info, format: text }
          spool: { max_bytes: 64MiB, overflow: drop_oldest }
        sources:
          - { id: kernel, plugin: procnet, interval: 1s, tables: [dev, snmp] }
          - id: all
            plugin: every
            labels: *labels
            text: "${env:NAME:-x} $${y} \\u00e9"
            count: 0x10
            ratio: 0.5
            pairs: { a: "${file:/run/token}" }
            hosts: |
              one
              two
        sinks:
          - id: central
            plugin: http
            url: https://h/
            auth: { bearer: "${file:/run/token}" }
            batch: { samples: 10, wait: 5s }
            retry: { base: 1s, cap: 1m }
            send: [metrics]
            metrics: { include: ["system.*"] }

        """
    private static let pieces = [
        "\t", "{", "}", "[", "]", ": ", "- ", "*", "&a ", "!!int ", "<<: ", "---\n", "...\n", "\"", "'", "|", ">", "%",
        "#", "?", "${", "$${", "${env:", "${file:", "}", "\r", "\u{2028}", "\u{FEFF}", "\u{0}", "999999999999999999999",
    ]

    @Test(arguments: 0..<8)
    func damagedFileIsReadToItsEnd(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let fixture = ConfigurationFixture(others: ["/run/token": "abc"], environment: ["NAME": "n"])
        let original = Array(Self.text.utf8)
        for _ in 0..<300 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &random) { Self.damage(&bytes, &random) }
            let loaded = fixture.load(bytes: bytes)
            let isUsable = loaded.problems.allSatisfy { $0.severity == .warning }
            #expect((loaded.configuration != nil) == isUsable)
            #expect(
                loaded.problems.allSatisfy { $0.mark.file == "sonde.yaml" && $0.mark.line >= 1 && $0.mark.column >= 1 })
        }
    }

    @Test func undamagedFileHasOneProblem() {
        let fixture = ConfigurationFixture(others: ["/run/token": "abc"], environment: ["NAME": "n"])
        #expect(
            fixture.load(Self.text).problems.map(\.line) == [
                "16:12 SND-CFG013 'hosts' must be a list, not a single value; write [a, b] or one '- a' per line"
            ])
    }

    private static func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let place = Int.random(in: 0..<max(1, bytes.count), using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[place..<min(bytes.count, place + 1)] = [UInt8.random(in: 0...255, using: &random)]
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...20, using: &random)))
        case 2: bytes.removeSubrange(place...)
        case 3:
            let end = min(bytes.count, place + Int.random(in: 1...80, using: &random))
            bytes.insert(contentsOf: Array(bytes[place..<end]), at: Int.random(in: 0...place, using: &random))
        default:
            let piece = pieces.randomElement(using: &random) ?? ""
            bytes.insert(contentsOf: Array(piece.utf8), at: place)
        }
        if bytes.isEmpty { bytes = [0x20] }
    }
}
