/// Where one byte is in a line, from left to right: the bounds of field after field for little more than one search.
struct BytePlaces {
    private let line: LogBytes
    private let byte: UInt8
    /// Where the 64 bytes begin that `places` describes.
    private var block: Int
    private var places: UInt64

    /// The places of `byte` in `line` at or after `start`.
    @inline(always)
    init(of byte: UInt8, in line: LogBytes, from start: Int) {
        self.line = line
        self.byte = byte
        block = start < 0 ? 0 : start < line.count ? start : line.count
        let last = line.count &- ByteBlock.wideSize
        if block <= last {
            places = ByteBlock.places(of: byte, at: line.base + block)
        } else if last >= 0 {
            // The last block overlaps what comes before. Of no bytes at all, every bit is shifted out.
            places = ByteBlock.places(of: byte, at: line.base + last) >> UInt64(truncatingIfNeeded: block &- last)
        } else {
            places = Self.look(line, byte, block)
        }
    }

    /// The next place; the count of the line where there is none.
    @inline(always)
    mutating func next() -> Int {
        if places == 0 {
            (block, places) = Self.nextBlock(line, byte, block)
            if places == 0 { return line.count }
        }
        let place = block &+ places.trailingZeroBitCount
        places &= places &- 1
        return place
    }

    /// The next block with a place after `block`; the end without one where there is none.
    ///
    /// Of values and not of itself, which is then never more than some registers.
    @inline(never)
    private static func nextBlock(_ line: LogBytes, _ byte: UInt8, _ block: Int) -> (block: Int, places: UInt64) {
        let last = line.count &- ByteBlock.wideSize
        var block = block &+ ByteBlock.wideSize
        while block <= last {
            let places = ByteBlock.places(of: byte, at: line.base + block)
            if places != 0 { return (block, places) }
            block &+= ByteBlock.wideSize
        }
        guard block < line.count else { return (line.count, 0) }
        guard last >= 0 else { return (block, look(line, byte, block)) }
        // The last block overlaps the one before it.
        return (block, ByteBlock.places(of: byte, at: line.base + last) >> UInt64(truncatingIfNeeded: block &- last))
    }

    /// The places from `block` on in a line of fewer than 64 bytes.
    @inline(never)
    private static func look(_ line: LogBytes, _ byte: UInt8, _ block: Int) -> UInt64 {
        let last = line.count &- ByteBlock.size
        guard last >= 0 else { return lookAtEachByte(line, byte, block) }
        var places: UInt64 = 0
        var start = block
        while start < line.count {
            // The last block overlaps the one before it.
            let place = start < last ? start : last
            let found = ByteBlock(line.base + place).places(of: byte) &>> UInt32(truncatingIfNeeded: start &- place)
            places |= UInt64(found) &<< UInt64(truncatingIfNeeded: start &- block)
            start &+= ByteBlock.size
        }
        return places
    }

    private static func lookAtEachByte(_ line: LogBytes, _ byte: UInt8, _ block: Int) -> UInt64 {
        (block..<line.count).reduce(0) { places, index in
            line[index] == byte ? places | 1 &<< UInt64(truncatingIfNeeded: index &- block) : places
        }
    }
}
