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
            let text = try Repository.text(path)
            for foreign in Self.foreignPaths where text.contains(foreign) {
                Issue.record("\(path) mentions \(foreign)")
            }
        }
    }
}
