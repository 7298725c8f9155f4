import Foundation
import SondeTestKit
import Testing

@Suite struct FuzzCorpusTests {
    private func inputs(_ target: String) throws -> [[UInt8]] {
        let corpus = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../Fuzz/Corpus/\(target).hex"
        ).standardized
        return HexadecimalLines.decode(try String(contentsOf: corpus, encoding: .utf8))
    }

    @Test(
        arguments: [
            ("child", ChildFuzzInput.brokenInvariants), ("control", ControlFuzzInput.brokenInvariants),
            ("recording", RecordingFuzzInput.brokenInvariants), ("remote", RemoteFuzzInput.brokenInvariants),
            ("spool", SpoolFuzzInput.brokenInvariants),
        ] as [(String, @Sendable (UnsafeRawBufferPointer) -> [String])])
    func whatFuzzingFoundKeepsTheInvariants(
        _ target: String, _ broken: @Sendable (UnsafeRawBufferPointer) -> [String]
    ) throws {
        let inputs = try inputs(target)
        #expect(inputs.count > 20)
        for input in inputs { #expect(input.withUnsafeBytes(broken) == [], "\(input)") }
    }
}
