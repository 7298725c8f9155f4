import Foundation
import Testing

@Suite struct ErrorListGoldenTests {
    @Test func theErrorPageIsWhatTheCodeSays() throws {
        let page = try ErrorList.page()
        if ProcessInfo.processInfo.environment["SONDE_UPDATE_GOLDEN"] == "1" {
            try page.write(to: Repository.url(ErrorList.path), atomically: true, encoding: .utf8)
        }
        #expect(try Repository.text(ErrorList.path) == page, "run 'make golden' and review the difference")
    }

    @Test func everyCodeInTheSourcesIsOnThePageAndTheOtherWayRound() throws {
        let listed = ErrorList.codes(in: try Repository.text(ErrorList.path))
        let folders = ["Sources"] + Repository.pluginFolders.map { "\($0)/Sources" }
        let used = try folders.flatMap { Repository.files(below: $0, suffixes: [".swift"]) }
            .reduce(into: Set<String>()) { $0.formUnion(ErrorList.codes(in: try Repository.text($1))) }
        #expect(used.subtracting(listed).sorted() == [], "in the sources, not on the page")
        #expect(listed.subtracting(used).sorted() == [], "on the page, not in the sources")
    }

    @Test func noCodeIsListedTwice() throws {
        let rows = try Repository.text(ErrorList.path).split(separator: "\n").filter { $0.hasPrefix("| SND-") }
        let codes = rows.compactMap { $0.split(separator: " ").dropFirst().first }
        #expect(Set(codes).count == codes.count)
    }
}
