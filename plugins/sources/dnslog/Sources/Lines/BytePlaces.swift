/// Where one byte is in a line, from left to right: the bounds of field after field for little more than one search.
struct BytePlaces {
    private static let blockSize = 2 * ByteBlock.size

    private let line: LogBytes
    private let byte: UInt8
    /// Where the bytes begin that `places` tells of.
    private var block: Int
    private var places: UInt32 = 0

    /// The places of `byte` in `line` at or behind `start`.
    @inline(__always)
    init(of byte: UInt8, in line: LogBytes, from start: Int) {
        self.line = line
        self.byte = byte
        block = min(max(start, 0), line.count)
        look()
    }

    /// The next place; the count of the line where there is none.
    @inline(__always)
    mutating func next() -> Int {
        while places == 0 {
            guard line.count &- block > Self.blockSize else {
                block = line.count
                return line.count
            }
            block &+= Self.blockSize
            look()
        }
        let place = block &+ places.trailingZeroBitCount
        places &= places &- 1
        return place
    }

    @inline(__always)
    private mutating func look() {
        // The last block overlaps the one before it.
        let start = min(block, line.count &- Self.blockSize)
        guard start >= 0 else { return lookShort() }
        let first = ByteBlock(line.base + start).places(of: byte)
        let second = ByteBlock(line.base + (start &+ ByteBlock.size)).places(of: byte)
        // Of no bytes at all, every bit is shifted out.
        places = (first | second &<< 16) >> UInt32(truncatingIfNeeded: block &- start)
    }

    @inline(never)
    private mutating func lookShort() {
        places = 0
        for index in block..<line.count where line[index] == byte {
            places |= 1 &<< UInt32(truncatingIfNeeded: index &- block)
        }
    }
}
