import Testing

@Suite struct FrameCorpusTests {
    @Test func whatFuzzingFoundKeepsTheInvariants() throws {
        let inputs = try FuzzCorpus.inputs(of: "frame")
        #expect(inputs.count > 50)
        for input in inputs {
            #expect(input.withUnsafeBytes { FrameFuzzInput.brokenInvariants($0) } == [], "\(input)")
        }
    }
}
