import Foundation
import Testing

@Suite struct MachinePathTests {
    // In pieces, so that this file does not name them itself.
    private static let foreignPaths = [
        ["/work", "/main"], ["/work", "/wt"], ["/work", "/shared"], ["/opt", "/swift"], ["/root", "/"],
        ["/tmp", "/prompts"],
    ].map { $0.joined() }

    @Test func noFileNamesAPathOfTheMachineItWasWrittenOn() throws {
        let paths = Repository.files()
        #expect(paths.count > 100)
        for path in paths {
            // Bytes: to search text for these took 80 seconds of every run of the tests.
            let text = try Data(contentsOf: Repository.url(path))
            for foreign in Self.foreignPaths where text.range(of: Data(foreign.utf8)) != nil {
                Issue.record("\(path) mentions \(foreign)")
            }
        }
    }
}
