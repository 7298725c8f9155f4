import Foundation
import Testing

@Suite struct ErrorPageGoldenTests {
    @Test func everyCodeHasAPageWhoseHeadIsWhatTheCodeSays() throws {
        let isUpdate = ProcessInfo.processInfo.environment["SONDE_UPDATE_GOLDEN"] == "1"
        let pages = try ErrorPage.all()
        #expect(pages.count > 100)
        for page in pages {
            if isUpdate { try page.rewriteHead() }
            #expect(page.written?.head == page.head, "\(page.path): run 'make golden' and review the difference")
        }
    }

    @Test func everyPageHasACode() throws {
        let expected = try Set(ErrorPage.all().map(\.path))
        let found = Set(Repository.files(below: ErrorPage.folder))
        #expect(found.subtracting(expected) == [])
    }

    @Test func everyPageHasItsSectionsAndSomethingInEach() throws {
        for page in try ErrorPage.all() {
            let parts = ErrorPage.parts(of: page.written?.body ?? "")
            #expect(parts.map(\.title) == ErrorPage.sections, "\(page.path)")
            let prose = parts.map { ErrorPage.prose(of: $0.lines).joined(separator: " ") }
            guard prose.count == ErrorPage.sections.count else { continue }
            let sentences = prose[0].matches(of: /[.:;]( |$)/).count
            #expect(prose[0].count >= 120 && sentences >= 2, "\(page.path) does not say what happens")
            #expect(prose[1].count >= 40, "\(page.path) does not say what to do")
            // A code that nothing brings about says so instead of showing a message.
            let isShown =
                parts[2].lines.contains { $0.hasPrefix("```") } && parts[2].lines.contains { $0.contains(page.code) }
            #expect(isShown || prose[2].hasPrefix("None"), "\(page.path) shows no message with its code")
        }
    }

    @Test func noTwoPagesSayTheSame() throws {
        var places: [String: [String]] = [:]
        for page in try ErrorPage.all() {
            // How an example came about may be said alike.
            for part in ErrorPage.parts(of: page.written?.body ?? "") where part.title != "Example" {
                for paragraph in Set(ErrorPage.prose(of: part.lines)) {
                    places[paragraph, default: []].append(page.code)
                }
            }
        }
        #expect(places.count > 200)
        for (paragraph, codes) in places where codes.count > 1 {
            Issue.record("\(codes.sorted().joined(separator: ", ")) share: \(paragraph.prefix(60))")
        }
    }
}
