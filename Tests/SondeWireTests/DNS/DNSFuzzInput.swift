import SondeWire

/// How the fuzzer's bytes become a DNS message: one of how much the capture cut off, then the message.
enum DNSFuzzInput {
    /// Messages up to here are followed to the last label by summary and view alike.
    private static let followedLength = 512

    /// The invariants that decoding breaks; none for an input that is too short.
    static func brokenInvariants(_ input: UnsafeRawBufferPointer) -> [String] {
        guard let first = input.first else { return [] }
        let message = WireBytes(UnsafeRawBufferPointer(rebasing: input[1...]))
        let wireLength = message.count + Int(first)
        var summary = DNSSummary()
        summary.decode(message, wireLength: wireLength, seed: 1)
        var broken = brokenInvariants(of: summary, message, isCut: first > 0)
        if summary.extent == .whole, message.count <= followedLength, !readsToTheEnd(message) {
            broken.append("the view refuses what the summary takes")
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

    private static func readsToTheEnd(_ message: WireBytes) -> Bool {
        do throws(DNSMalformation) {
            var reader = try DNSMessage(message).reader
            while let question = try reader.nextQuestion() { _ = question.name.text }
            while let record = try reader.nextRecord() {
                _ = record.name.text
                _ = record.data.buffer.reduce(0) { $0 &+ Int($1) }
                _ = try? record.dataName()
                _ = try? EDNS(record)
            }
            return true
        } catch {
            return false
        }
    }
}
