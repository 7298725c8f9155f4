/// Where one byte is in a line, from left to right: the bounds of field after field for little more than one search.
struct BytePlaces {
    private static let blockSize = 2 * ByteBlock.size

    private let line: LogBytes
    private let byte: UInt8
    /// Where the bytes begin that `places` describes.
    private var block: Int
    private var places: UInt32 = 0

    /// The places of `byte` in `line` at or after `start`.
    @inline(__always)
    init(of byte: UInt8, in line: LogBytes, from start: Int) {
        self.line = line
        self.byte = byte
        block = min(max(start, 0), line.count)
        places = block &+ Self.blockSize <= line.count ? look(block) : lookAtRest()
    }

    /// The next place; the count of the line where there is none.
    @inline(__always)
    mutating func next() -> Int {
        while places == 0 {
            block &+= Self.blockSize
            guard block < line.count else {
                block = line.count
                return block
            }
            places = block &+ Self.blockSize <= line.count ? look(block) : lookAtRest()
        }
        let place = block &+ places.trailingZeroBitCount
        places &= places &- 1
        return place
    }

    /// The places among the bytes from `start` on, which are all there.
    @inline(__always)
    private func look(_ start: Int) -> UInt32 {
        let first = ByteBlock(line.base + start).places(of: byte)
        let second = ByteBlock(line.base + (start &+ ByteBlock.size)).places(of: byte)
        return first | second &<< 16
    }

    /// The places among the last bytes, fewer than a block.
    @inline(__always)
    private func lookAtRest() -> UInt32 {
        // The last block overlaps the one before it. Of no bytes at all, every bit is shifted out.
        let start = line.count &- Self.blockSize
        return start >= 0 ? look(start) >> UInt32(truncatingIfNeeded: block &- start) : lookAtShortLine()
    }

    @inline(never)
    private func lookAtShortLine() -> UInt32 {
        (block..<line.count).reduce(0) { places, index in
            line[index] == byte ? places | 1 &<< UInt32(truncatingIfNeeded: index &- block) : places
        }
    }
}
