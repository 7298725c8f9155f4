import SondeWire

/// How the fuzzer's bytes become a DNS message: one of how much the capture cut off, then the message.
enum DNSFuzzInput {
    /// Messages up to here are followed to the last label by the summary too.
    private static let followedLength = 512

    /// The invariants that decoding breaks; none for an input that is too short.
    static func brokenInvariants(_ input: UnsafeRawBufferPointer) -> [String] {
        guard let first = input.first else { return [] }
        let message = WireBytes(UnsafeRawBufferPointer(rebasing: input[1...]))
        let wireLength = message.count + Int(first)
        var summary = DNSSummary()
        summary.decode(message, wireLength: wireLength, seed: 1)
        var broken = brokenInvariants(of: summary, message, isCut: first > 0)
        if summary.extent == .whole, message.count <= followedLength, (try? readAll(message)) == nil {
            broken.append("reading name by name refuses what the summary takes")
        }
        return broken
    }

    private static func brokenInvariants(of summary: DNSSummary, _ message: WireBytes, isCut: Bool) -> [String] {
        var broken: [String] = []
        if summary.extent == .whole, summary.malformation != nil { broken.append("whole and malformed") }
        if !isCut, summary.extent != .whole, summary.malformation == nil {
            broken.append("neither whole nor malformed")
        }
        guard summary.hasQuestion else { return summary.questionHash == 0 ? broken : broken + ["hash of no question"] }
        if summary.questionHash == 0 { broken.append("no hash of a question") }
        let name = try? DNSName(in: message, at: DNSHeader.size)
        if name?.octetCount != summary.nameLength { broken.append("length of the name") }
        let folded = [UInt8](unsafeUninitializedCapacity: DNSName.mostOctets + 1) { target, count in
            count = target.baseAddress.map { summary.copyName(of: message, to: UnsafeMutableRawPointer($0)) } ?? 0
        }
        let text = folded.withUnsafeBytes { DNSName.text(ofUncompressed: $0) }
        if text == nil || text != name?.text { broken.append("text of the name") }
        return broken
    }

    /// Reads names and lengths alone, every name from its beginning; returns how many questions and records there were.
    ///
    /// What the summary finds sound, this must read.
    static func readAll(_ message: WireBytes) throws(DNSMalformation) -> (questions: Int, records: Int) {
        guard let header = DNSHeader(message) else { throw .shortHeader }
        var position = DNSHeader.size
        for _ in 0..<header.questionCount {
            let name = try DNSName(in: message, at: position)
            guard !name.text.isEmpty, message.has(4, at: name.end) else { throw .pastEnd }
            position = name.end + 4
        }
        for _ in 0..<header.recordCount {
            let name = try DNSName(in: message, at: position)
            guard !name.text.isEmpty, let length = message.uint16(at: name.end + 8) else { throw .pastEnd }
            guard message.has(Int(length), at: name.end + 10) else { throw .pastEnd }
            position = name.end + 10 + Int(length)
        }
        return (Int(header.questionCount), header.recordCount)
    }
}
