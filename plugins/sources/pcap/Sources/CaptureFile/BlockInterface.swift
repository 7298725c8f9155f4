/// An interface of a pcapng section (Interface Description Block).
struct BlockInterface: Hashable {
    let linkType: UInt32
    /// 0: no limit.
    let snapshotLength: UInt32
    /// What a time stamp counts.
    var resolution = TimeResolution.microseconds
    /// Seconds to add to time stamps (if_tsoffset).
    var offset: Int64 = 0
    /// Which place its packets are counted in.
    var slot: UInt16 = 0

    init(linkType: UInt32, snapshotLength: UInt32) {
        self.linkType = linkType
        self.snapshotLength = snapshotLength
    }

    /// A time stamp in nanoseconds since 1970, clamped to what can be said.
    @inline(__always)
    func time(_ ticks: UInt64) -> Int64 {
        let time = resolution.nanoseconds(ticks)
        return offset == 0 ? time : shifted(time)
    }

    @inline(never)
    private func shifted(_ time: Int64) -> Int64 {
        let (seconds, overflow) = offset.multipliedReportingOverflow(by: 1_000_000_000)
        let limit = offset < 0 ? Int64.min + 1 : .max
        guard !overflow else { return limit }
        let (sum, sumOverflow) = time.addingReportingOverflow(seconds)
        return sumOverflow ? limit : sum
    }
}

/// What one tick of a time stamp is (if_tsresol).
struct TimeResolution: Hashable {
    private enum Rule: Hashable {
        case multiply(UInt64)
        case divide(UInt64)
        case binary(UInt64)
        /// Ticks so short that no number of them is a nanosecond.
        case vanish
    }

    private let rule: Rule

    static let microseconds = TimeResolution(code: 6)

    /// 10 to the power of -code, or with the highest bit set, 2 to the power of -(code - 128).
    init(code: UInt8) {
        let exponent = code & 0x7f
        if code & 0x80 != 0 {
            rule = .binary(UInt64(exponent))
        } else if exponent <= 9 {
            rule = .multiply(Self.powerOfTen(9 - exponent))
        } else {
            rule = exponent - 9 <= 19 ? .divide(Self.powerOfTen(exponent - 9)) : .vanish
        }
    }

    /// Ticks in nanoseconds, rounded down and clamped.
    @inline(__always)
    func nanoseconds(_ ticks: UInt64) -> Int64 {
        switch rule {
        case .multiply(let factor):
            let (product, overflow) = ticks.multipliedReportingOverflow(by: factor)
            return overflow ? .max : Int64(clamping: product)
        case .divide(let divisor): return Int64(clamping: ticks / divisor)
        case .vanish: return 0
        case .binary(let shift): return Self.binary(ticks, shift)
        }
    }

    /// ticks * 10^9 / 2^shift in 128 bits.
    private static func binary(_ ticks: UInt64, _ shift: UInt64) -> Int64 {
        let product = ticks.multipliedFullWidth(by: 1_000_000_000)
        if shift >= 64 { return Int64(clamping: product.high >> (shift - 64)) }
        guard shift > 0 else { return product.high == 0 ? Int64(clamping: product.low) : .max }
        guard product.high >> shift == 0 else { return .max }
        return Int64(clamping: product.high << (64 - shift) | product.low >> shift)
    }

    private static func powerOfTen(_ exponent: UInt8) -> UInt64 {
        var result: UInt64 = 1
        for _ in 0..<min(exponent, 19) { result &*= 10 }
        return result
    }
}
