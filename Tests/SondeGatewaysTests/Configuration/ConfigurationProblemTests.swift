import SondeEngine
import SondeTestKit
import Testing

/// Each mistake gives exactly these problems: place, code, message, suggestion.
@Suite struct ConfigurationProblemTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let problems: [String]

        init(_ text: String, _ problems: String...) {
            self.text = text
            self.problems = problems
        }

        var testDescription: String { problems.first ?? "none" }
    }

    @Test(arguments: Case.files + Case.topLevel + Case.agents + Case.components + Case.values + Case.references)
    func mistakeIsNamedAtItsPlace(_ mistake: Case) {
        let fixture = ConfigurationFixture(
            others: ["/run/nul": "a\0b", "/run/large": String(repeating: "x", count: 70_000)],
            environment: ["WORD": "blue", "TEN": "10"])
        let loaded = fixture.load(mistake.text)
        #expect(loaded.problems.map(\.line) == mistake.problems)
        #expect((loaded.configuration == nil) == loaded.problems.contains { $0.severity == .error })
    }
}
