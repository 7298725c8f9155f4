import SondeDomain
import Testing

@Suite struct VocabularyTests {
    private let keys = Vocabulary(["id", "interval", "labels", "plugin", "plugin_dirs", "enabled"])

    @Test(
        arguments: [
            ("intervall", "interval"), ("intrevals", "interval"), ("Interval", "interval"), ("lables", "labels"),
            ("ids", "id"), ("plugins", "plugin"), ("plugin-dirs", "plugin_dirs"), ("enable", "enabled"),
        ])
    func slipIsRecognized(_ typed: String, _ meant: String) {
        #expect(keys.nearest(to: typed) == meant)
    }

    @Test(arguments: ["", "x", "no", "timeout", "interpolation"])
    func anotherWordSuggestsNothing(_ typed: String) {
        #expect(keys.nearest(to: typed) == nil)
    }

    @Test func endlessWordSuggestsNothing() {
        #expect(keys.nearest(to: String(repeating: "interval", count: 10_000)) == nil)
    }

    @Test(
        arguments: [
            ("", "", 0), ("abc", "", 3), ("", "abc", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "ab", 1),
            ("abc", "abcd", 1), ("abc", "axc", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
        ])
    func distanceCountsSlips(_ left: String, _ right: String, _ distance: Int) {
        #expect(EditDistance.between(Array(left), Array(right)) == distance)
    }
}
