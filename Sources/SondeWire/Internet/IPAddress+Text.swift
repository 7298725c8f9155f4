extension IPAddress: CustomStringConvertible {
    /// Dotted decimal for IPv4, the canonical form of RFC 5952 for IPv6.
    public var description: String {
        if let number = ipv4 {
            return "\(number >> 24).\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"
        }
        let zeros = longestZeroRun
        var text = ""
        var index = 0
        while index < 8 {
            if index == zeros.lowerBound, !zeros.isEmpty {
                text += "::"
                index = zeros.upperBound
                continue
            }
            if index > 0, index != zeros.upperBound || zeros.isEmpty { text += ":" }
            text += String(group(index), radix: 16)
            index += 1
        }
        return text
    }

    /// The 16-bit group at `index`, 0 to 7.
    private func group(_ index: Int) -> UInt16 {
        let half = index < 4 ? high : low
        return UInt16(truncatingIfNeeded: half >> UInt64(48 - (index & 3) * 16))
    }

    /// The groups that `::` replaces: the first of the longest runs of at least two zeros; empty when there is none.
    private var longestZeroRun: Range<Int> {
        var best = 0..<0
        var start = 0
        for index in 0..<8 {
            guard group(index) == 0 else {
                start = index + 1
                continue
            }
            let run = start..<(index + 1)
            if run.count > max(best.count, 1) { best = run }
        }
        return best
    }
}
