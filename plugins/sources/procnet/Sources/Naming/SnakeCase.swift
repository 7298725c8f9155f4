/// Kernel column names in snake case: `TCPOFOQueue` is `tcp_ofo_queue`.
///
/// A word ends before a capital that follows a small letter or digit, and before the last of several capitals that a
/// small letter follows; what is left of several capitals is cut into the abbreviations below. A plural `s` stays with
/// its capitals (`RTOs`). Characters that are neither letters nor digits separate words.
enum SnakeCase {
    /// The abbreviations that the kernel writes without a separator, longest first where one begins another.
    private static let abbreviations: [[UInt8]] = [
        "MPTCP", "MTUP", "DSACK", "SACK", "FACK", "PAWS", "TCP", "OFO", "SYN", "ACK", "MD5", "PLB", "DSS", "AO", "HP",
        "MP", "TS", "RX", "TX",
    ].map { Array($0.utf8) }

    /// Names that the rule would spell badly.
    private static let exceptions = [
        "MPJoinSynAckHMacFailure": "mp_join_syn_ack_hmac_failure",
        "MPJoinAckHMacFailure": "mp_join_ack_hmac_failure",
        "TCPRcvQDrop": "tcp_rcvq_drop",
        "TCPReqQFullDoCookies": "tcp_reqq_full_do_cookies",
        "TCPReqQFullDrop": "tcp_reqq_full_drop",
    ]

    static func name(_ kernelName: String) -> String {
        if let exception = exceptions[kernelName] { return exception }
        var words: [ArraySlice<UInt8>] = []
        for part in Array(kernelName.utf8).split(whereSeparator: { !isLetterOrDigit($0) }) {
            for word in capitalizedWords(part) { words += cut(word) }
        }
        var name: [UInt8] = []
        name.reserveCapacity(kernelName.utf8.count + words.count)
        for word in words {
            if !name.isEmpty { name.append(UInt8(ascii: "_")) }
            for byte in word { name.append(isCapital(byte) ? byte | 0x20 : byte) }
        }
        return String(decoding: name, as: UTF8.self)
    }

    /// The letters and digits in small letters, without separating words.
    static func lowercase(_ kernelName: String) -> String {
        let bytes = kernelName.utf8.filter(isLetterOrDigit).map { isCapital($0) ? $0 | 0x20 : $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func capitalizedWords(_ text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var words: [ArraySlice<UInt8>] = []
        var start = text.startIndex
        for index in text.indices.dropFirst() where beginsWord(at: index, in: text) {
            words.append(text[start..<index])
            start = index
        }
        words.append(text[start...])
        return words
    }

    private static func beginsWord(at index: Int, in text: ArraySlice<UInt8>) -> Bool {
        guard isCapital(text[index]) else { return false }
        guard isCapital(text[index - 1]) else { return true }
        let rest = text[(index + 1)...].prefix(2)
        guard let next = rest.first, isSmall(next) else { return false }
        // In "RTOs" the small letter is a plural, not the rest of a word that begins with "O".
        let isPlural = next == UInt8(ascii: "s") && (rest.count == 1 || isCapital(rest[rest.startIndex + 1]))
        return !isPlural
    }

    private static func cut(_ word: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var words: [ArraySlice<UInt8>] = []
        var rest = word
        // All abbreviations begin with two capitals, and most words do not.
        while rest.count > 2, isCapital(rest[rest.startIndex + 1]),
            let abbreviation = abbreviations.first(where: { rest.starts(with: $0) })
        {
            guard rest.count > abbreviation.count else { break }
            let end = rest.startIndex + abbreviation.count
            guard !isSmall(rest[end]) else { break }
            words.append(rest[..<end])
            rest = rest[end...]
        }
        words.append(rest)
        return words
    }

    private static func isCapital(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
    private static func isSmall(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isCapital(byte) || isSmall(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
