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
        // What the test kit makes up never comes out of an agent.
        let files = folders.flatMap { Repository.files(below: $0, suffixes: [".swift"]) }
            .filter { !$0.hasPrefix("Sources/SondeTestKit/") }
        let text = try files.map(Repository.text).joined()
        let used = ErrorList.codes(in: text)
        let composed = text.matches(of: /(SND-[A-Z]+)\\\(/).map { String($0.1) }
        let unused = listed.subtracting(used).filter { code in !composed.contains(where: code.hasPrefix) }
        #expect(used.subtracting(listed).sorted() == [], "in the sources, not on the page")
        #expect(unused.sorted() == [], "on the page, not in the sources")
    }

    @Test func noCodeHasTwoMeanings() throws {
        // The engine acts on this one: an agent whose only output has gone ends quietly.
        let shared = ["SND-OUT001"]
        let codes = try ErrorEntry.all().map(\.code)
        let repeated = Dictionary(grouping: codes) { $0 }.filter { $1.count > 1 }.map(\.key)
        #expect(Set(repeated).subtracting(shared) == [])
        #expect(codes.count > 50)
    }
}
