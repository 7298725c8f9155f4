import Foundation
import SondeTestKit
import Testing

@Suite struct FuzzCorpusTests {
    @Test func answersThatFuzzingFoundKeepTheInvariants() throws {
        let corpus = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../../Tests/Fuzz/Corpus/http.hex").standardized
        let inputs = HexadecimalLines.decode(try String(contentsOf: corpus, encoding: .utf8))
        #expect(inputs.count > 50)
        for input in inputs {
            #expect(input.withUnsafeBytes { HTTPFuzzInput.brokenInvariants($0) } == [], "\(input)")
        }
    }
}
