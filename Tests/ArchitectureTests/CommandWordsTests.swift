import Testing

@Suite struct CommandWordsTests {
    @Test func theCommandLineCallsExactlyTheCommandsOfTheDaemon() throws {
        let called = try Repository.files(below: "Sources/sonde/Commands", suffixes: [".swift"]).flatMap { file in
            try Repository.text(file).matches(of: /DaemonCall\("([a-z-]+)"/).map { String($0.1) }
        }
        let cases = try Repository.text("Sources/sonded/Command.swift")
            .matches(of: /\n    case (\w+)(?: = "([a-z-]+)")?(?=\n)/).map { String($0.2 ?? $0.1) }
        #expect(cases.count > 15)
        #expect(Set(called) == Set(cases))
    }
}
