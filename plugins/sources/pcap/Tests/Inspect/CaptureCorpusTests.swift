import Foundation
import SondeTestKit
import Testing

@Suite struct CaptureCorpusTests {
    @Test func whatFuzzingFoundKeepsTheInvariants() throws {
        let corpus = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../../../Tests/Fuzz/Corpus/capture.hex").standardized
        let inputs = HexadecimalLines.decode(try String(contentsOf: corpus, encoding: .utf8))
        #expect(inputs.count > 50)
        for input in inputs {
            #expect(input.withUnsafeBytes { CaptureFuzzInput.brokenInvariants($0) } == [], "\(input)")
        }
    }
}
