import SondeDomain
import SondeEngine
import Testing

@Suite struct OptionValuesMarksTests {
    private func mark(_ line: Int) -> SourceMark { SourceMark(file: "f", line: line, column: 1) }

    @Test(
        arguments: [
            ("url", 2), ("tls.ca_file", 4), ("tls.key_file", 3), ("hosts[2]", 6), ("hosts[7]", 5), ("hosts[2].x", 6),
            ("other", 1), ("other.deep[3]", 1), ("", 1), ("[", 1), ("...", 1),
        ])
    func pathStandsAtItsNearestAncestor(_ path: String, _ line: Int) {
        let marks = ["": 1, "url": 2, "tls": 3, "tls.ca_file": 4, "hosts": 5, "hosts[2]": 6].mapValues(mark)
        #expect(OptionValues(marks: marks).mark(for: path) == mark(line))
    }

    @Test func valuesThatCameFromNoFileHaveNoPlace() {
        #expect(OptionValues(["a": .bool(true)]).mark(for: "a") == nil)
    }
}
