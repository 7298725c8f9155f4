import Testing

@Suite struct FileLengthTests {
    private static let budget = 500

    /// Files that may be longer, each with the reason.
    private static let exceptions: [String: String] = [
        "Sources/CSondePlugin/include/sonde_plugin.h": "the contract is one file, which plugins copy"
    ]

    @Test func handWrittenFilesStayWithinTheBudget() throws {
        let folders = ["Sources", "plugins", "Tests", "packaging"]
        let paths = folders.flatMap { Repository.files(below: $0, suffixes: [".swift", ".h", ".c", ".sh"]) }
        #expect(paths.count > 50)
        for path in paths where !path.contains("/Fixtures/") && Self.exceptions[path] == nil {
            let lines = try Repository.text(path).split(separator: "\n", omittingEmptySubsequences: false).count
            #expect(lines <= Self.budget, "\(path) has \(lines) lines")
        }
    }

    @Test func anExceptionNamesAFileThatExistsAndIsLong() throws {
        for path in Self.exceptions.keys {
            let lines = try Repository.text(path).split(separator: "\n", omittingEmptySubsequences: false).count
            #expect(lines > Self.budget, "\(path)")
        }
    }
}
