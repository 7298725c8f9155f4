import Foundation
import Testing

@Suite struct MarkdownLinksTests {
    @Test(arguments: Repository.files(suffixes: [".md"]))
    func everyRelativeLinkLeadsToAFile(_ page: String) throws {
        let folder = Repository.url(page).deletingLastPathComponent()
        for link in Self.links(in: try Repository.text(page)) {
            let target = folder.appending(path: link)
            #expect(FileManager.default.fileExists(atPath: target.path), "\(page) links to \(link)")
        }
    }

    @Test func everyDecisionIsInTheList() throws {
        let list = Set(Self.links(in: try Repository.text("docs/decisions/README.md")))
        let pages = Repository.files(below: "docs/decisions", suffixes: [".md"]).map {
            URL(filePath: $0).lastPathComponent
        }
        #expect(list == Set(pages).subtracting(["README.md"]))
    }

    @Test func linksToOtherSitesAndAnchorsAreNotFiles() {
        let text = "[a](https://example.net/x) [b](#part) [c](docs/x.md#part) ![d](d.png)"
        #expect(Self.links(in: text) == ["docs/x.md", "d.png"])
    }

    /// The relative targets of the links in a page, without anchors.
    private static func links(in text: String) -> [String] {
        text.matches(of: /\]\(([^()\s#]+)(?:#[^()\s]*)?\)/).map { String($0.1) }.filter { !$0.contains("://") }
    }
}
