/// The header of an 802.11 data frame, with what a driver puts before it.
///
/// Source: IEEE 802.11-2020 clause 9.2.4; radiotap.org.
public struct WirelessHeader: Equatable, Sendable {
    /// The shortest radiotap header.
    public static let shortestRadiotap = 8

    /// How long the header is, in bytes.
    public let length: Int
    /// Whether a readable 802.2 header follows: a data frame that is neither empty, nor encrypted, nor several in one.
    public let hasContent: Bool

    /// The header at `offset`, or nil when the bytes end inside of it; `isPadded` where a driver fills it up to four bytes.
    public init?(_ bytes: WireBytes, at offset: Int = 0, isPadded: Bool = false) {
        guard bytes.has(2, at: offset) else { return nil }
        let control = bytes.unchecked8(offset)
        let flags = bytes.unchecked8(offset &+ 1)
        let (type, subtype) = (control >> 2 & 3, control >> 4)
        guard type == 2 else {
            length = 2
            hasContent = false
            return
        }
        // To and from a distribution system: a fourth address.
        var length = flags & 3 == 3 ? 30 : 24
        let quality = length
        let hasQuality = subtype & 8 != 0
        if hasQuality {
            length &+= 2
            // HT control.
            if flags & 0x80 != 0 { length &+= 4 }
        }
        guard bytes.has(length, at: offset) else { return nil }
        let isAggregate = hasQuality && bytes.unchecked8(offset &+ quality) & 0x80 != 0
        if isPadded { length = (length &+ 3) & ~3 }
        self.length = length
        hasContent = subtype & 4 == 0 && flags & 0x40 == 0 && !isAggregate
    }

    /// The fields of radiotap: how long it is, whether a check sequence ends the frame, whether headers are filled up.
    static func radiotap(_ bytes: WireBytes, at offset: Int) -> (length: Int, hasCheck: Bool, isPadded: Bool)? {
        guard bytes.has(shortestRadiotap, at: offset) else { return nil }
        let length = Int(bytes.unchecked16(offset &+ 2).byteSwapped)
        guard length >= shortestRadiotap else { return nil }
        let present = bytes.unchecked32(offset &+ 4).byteSwapped
        var position = offset &+ shortestRadiotap
        // Words of what is present may follow each other; each has four bytes: the bytes bound the walk.
        var word = present
        while word & 0x8000_0000 != 0 {
            guard bytes.has(4, at: position) else { return nil }
            word = bytes.unchecked32(position).byteSwapped
            position &+= 4
        }
        // The first field is the time, which begins at a multiple of eight; the second one is the flags.
        if present & 1 != 0 { position = offset &+ (position &- offset &+ 7) & ~7 &+ 8 }
        let flags = present & 2 != 0 ? bytes.uint8(at: position) ?? 0 : 0
        return (length, flags & 0x10 != 0, flags & 0x20 != 0)
    }
}
