import SondeDomain
import SondeTestKit
import Testing

@Suite struct GlobFilterTests {
    private func filter(include: [String] = [], exclude: [String] = []) -> GlobFilter {
        GlobFilter(include: include, exclude: exclude)
    }

    @Test func withoutGlobsEveryMetricPasses() {
        #expect(filter().passes("system.network.io"))
        #expect(filter().passes(""))
    }

    @Test func oneOfTheIncludedMustMatch() {
        let filter = filter(include: ["system.*", "sonde.kernel.tcp.?etrans"])
        #expect(filter.passes("system.network.io"))
        #expect(filter.passes("sonde.kernel.tcp.retrans"))
        #expect(!filter.passes("sonde.kernel.udp.in"))
    }

    @Test func noneOfTheExcludedMayMatch() {
        let filter = filter(include: ["system.*"], exclude: ["*.errors"])
        #expect(filter.passes("system.network.io"))
        #expect(!filter.passes("system.network.errors"))
    }

    @Test func aQuestionMarkIsOneCharacterAndNotOneByte() {
        #expect(filter(include: ["a?b"]).passes("aéb"))
        #expect(!filter(include: ["a?b"]).passes("ab"))
    }

    @Test func manyStarsTakeNoExponentialTime() {
        let pattern = String(repeating: "a*", count: 200) + "b"
        #expect(!filter(include: [pattern]).passes(String(repeating: "a", count: 2_000)))
    }

    @Test func itAgreesWithAPlainMatcher() {
        var random = SeededGenerator(seed: 11)
        var matches = 0
        for _ in 0..<20_000 {
            let pattern = text(of: "ab*?", length: 0...7, using: &random)
            let name = text(of: "ab", length: 0...7, using: &random)
            let expected = Self.matches(Array(pattern)[...], Array(name)[...])
            matches += expected ? 1 : 0
            #expect(filter(include: [pattern]).passes(name) == expected, "'\(pattern)' and '\(name)'")
        }
        #expect(matches > 1_000)
    }

    private func text(of letters: String, length: ClosedRange<Int>, using random: inout SeededGenerator) -> String {
        let letters = Array(letters)
        return String(
            (0..<Int.random(in: length, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
    }

    private static func matches(_ pattern: ArraySlice<Character>, _ name: ArraySlice<Character>) -> Bool {
        guard let first = pattern.first else { return name.isEmpty }
        if first == "*" {
            return matches(pattern.dropFirst(), name) || (!name.isEmpty && matches(pattern, name.dropFirst()))
        }
        guard let letter = name.first, first == "?" || first == letter else { return false }
        return matches(pattern.dropFirst(), name.dropFirst())
    }
}
