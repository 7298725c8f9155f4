import Foundation
import SondeTestKit
import Testing

@Suite struct FuzzCorpusTests {
    private func inputs(_ target: String) throws -> [[UInt8]] {
        let corpus = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../../../Tests/Fuzz/Corpus/\(target).hex").standardized
        return HexadecimalLines.decode(try String(contentsOf: corpus, encoding: .utf8))
    }

    @Test func linesThatFuzzingFoundKeepTheInvariants() throws {
        let inputs = try inputs("log")
        #expect(inputs.count > 30)
        for input in inputs {
            #expect(input.withUnsafeBytes { LogFuzzInput.brokenInvariants($0) } == [], "\(input)")
        }
    }

    @Test func messagesOfDnstapThatFuzzingFoundKeepTheInvariants() throws {
        let inputs = try inputs("dnstap")
        #expect(inputs.count > 30)
        for input in inputs {
            #expect(input.withUnsafeBytes { DnstapFuzzInput.brokenInvariants($0) } == [], "\(input)")
        }
    }
}
