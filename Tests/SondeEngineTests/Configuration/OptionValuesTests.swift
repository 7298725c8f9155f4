import SondeDomain
import SondeEngine
import Testing

@Suite struct OptionValuesTests {
    private let options = OptionValues(
        [
            "url": .string("http://h"), "tls.ca_file": .string("/ca"), "tls.key_file": .string("/key"),
            "tlsx": .bool(true), "headers": .list(["a"]), "hosts": .entries(1), "hosts[0].name": .string("a"),
            "timeout": .integer(5),
        ],
        marks: Dictionary(
            [
                "url", "tls", "tls.ca_file", "tlsx", "headers", "headers[0]", "headersx", "hosts", "hosts[0]", "ports",
                "time",
            ].map { ($0, SourceMark(file: "f", line: 1, column: 1)) }
        ) { first, _ in first })

    @Test(
        arguments: [
            ("url", true), ("tls", true), ("headers[0]", true), ("hosts[0]", true), ("ports", false),
            ("timeout", false), ("time", false), ("headersx", false), ("other", false),
        ])
    func aPathHasAValueThatTheFileSetsAndThatCouldBeRead(_ path: String, _ hasValue: Bool) {
        #expect(options.hasValue(at: path) == hasValue)
    }

    @Test func theSectionOfAPathIsLeftOutWithItsPlaces() throws {
        let rest = try #require(options.withoutSection(of: "tls.ca_file"))
        #expect(Set(rest.values.keys) == ["url", "tlsx", "headers", "hosts", "hosts[0].name", "timeout"])
        #expect(
            Set(rest.marks.keys) == [
                "url", "tlsx", "headers", "headers[0]", "headersx", "hosts", "hosts[0]", "ports", "time",
            ])
        let fewer = try #require(rest.withoutSection(of: "hosts[0].name"))
        #expect(Set(fewer.values.keys) == ["url", "tlsx", "headers", "timeout"])
        #expect(Set(fewer.marks.keys) == ["url", "tlsx", "headers", "headers[0]", "headersx", "ports", "time"])
    }

    @Test(arguments: ["ports", "time", "other.deep", ""])
    func aSectionWithoutValuesCannotBeLeftOut(_ path: String) {
        #expect(options.withoutSection(of: path)?.values == nil)
    }
}
