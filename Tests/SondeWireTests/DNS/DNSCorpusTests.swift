import Testing

@Suite struct DNSCorpusTests {
    @Test func whatFuzzingFoundKeepsTheInvariants() throws {
        let inputs = try FuzzCorpus.inputs(of: "dns")
        #expect(inputs.count > 50)
        for input in inputs {
            #expect(input.withUnsafeBytes { DNSFuzzInput.brokenInvariants($0) } == [], "\(input)")
        }
    }
}
