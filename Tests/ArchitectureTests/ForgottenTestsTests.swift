import Foundation
import Testing

/// A test without its attribute is compiled and never run.
@Suite struct ForgottenTestsTests {
    @Test func everyFunctionWithoutArgumentsIsATestOrIsCalled() throws {
        let texts = try Repository.files(suffixes: ["Tests.swift"]).map { ($0, try Repository.text($0)) }
        #expect(texts.count > 400)
        let forgotten = texts.flatMap { file, text in
            Self.candidates(in: text)
                .filter { name in !texts.contains { Self.mentions(name, $0.1) } }
                .map { "\(file): \($0)" }
        }
        #expect(forgotten == [])
    }

    @Test func aFunctionIsFoundThatOnlyItsAttributeIsMissingFrom() {
        let text = """
            @Suite struct ATests {
                @Test func first() {}

                @Test(
                    arguments: [1]
                )
                func second() throws {}

                /// Without.
                func third() async throws {}

                func fourth(_ number: Int) {}

                func fifth() -> Int { 5 }
            }
            """
        #expect(Self.candidates(in: text) == ["third"])
        #expect(!Self.mentions("third", text))
        #expect(Self.mentions("third", text + "\nATests().third()"))
    }

    /// The names of a type's functions that take and return nothing and have no attribute.
    private static func candidates(in text: String) -> [String] {
        let lines = text.components(separatedBy: "\n")
        return zip(lines.dropFirst(), lines).compactMap { line, before in
            guard line.hasPrefix("    func "), !line.contains(" -> "), let end = line.range(of: "() "),
                before.isEmpty || before.hasPrefix("    ///")
            else { return nil }
            return String(line[..<end.lowerBound].dropFirst("    func ".count))
        }
    }

    /// Whether something besides its declaration has the name.
    private static func mentions(_ name: String, _ text: String) -> Bool {
        text.components(separatedBy: name).dropLast().contains { !$0.hasSuffix("func ") }
    }
}
