import Testing

/// ARCHITECTURE.md against the repository: it is drawn from the code as it is.
@Suite struct ArchitecturePageTests {
    private let page: String

    init() throws {
        page = try Repository.text("ARCHITECTURE.md")
    }

    @Test func everyFolderOfSourcesHasItsPlace() {
        let folders = Set(
            Repository.files(below: "Sources", suffixes: [".swift"]).compactMap { path in
                path.split(separator: "/").dropFirst().first.map(String.init)
            })
        for folder in folders where !folder.hasPrefix("C") {
            #expect(page.contains("`Sources/\(folder)`"), "\(folder)")
        }
    }

    @Test func everyNameInItIsThatOfAFileOrAFolder() {
        let named = Set(page.matches(of: /`([A-Z][A-Za-z]+[a-z])`/).map { String($0.1) })
        let files =
            Repository.files(below: "Sources", suffixes: [".swift"])
            + Repository.files(below: "plugins", suffixes: [".swift"])
        let known = Set(files.flatMap { $0.split(separator: "/").map { String($0.replacing(".swift", with: "")) } })
        #expect(named.count > 20)
        #expect(named.subtracting(known) == [])
    }
}
