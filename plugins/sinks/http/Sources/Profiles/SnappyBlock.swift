/// A short body in the block format of snappy, found with more patience than libsnappy has.
///
/// An agent that sends each interval sends short bodies, in which libsnappy passes over many repetitions: it searches at
/// most one earlier place for each position, and few positions where it has found none. Format: format_description.txt of
/// google/snappy.
struct SnappyBlock {
    /// The longest body that is worth it; libsnappy is ten times as fast.
    static let longestBody = 32 << 10

    // How many earlier places are compared.
    private static let patience = 64
    private static let hashBits: UInt32 = 13
    private static let longestCopy = 640

    private let input: UnsafeBufferPointer<UInt8>
    private var output: [UInt8] = []
    /// The last position of each hash, and the one before each position; -1: none.
    private var last = [Int32](repeating: -1, count: 1 << hashBits)
    private var previous: [Int32]

    /// The packed body; the same for the same body.
    static func packed(_ body: [UInt8]) -> [UInt8] {
        body.withUnsafeBufferPointer { input in
            var block = SnappyBlock(input)
            block.pack()
            return block.output
        }
    }

    private init(_ input: UnsafeBufferPointer<UInt8>) {
        self.input = input
        previous = [Int32](repeating: -1, count: input.count)
        output.reserveCapacity(input.count / 3)
    }

    private mutating func pack() {
        appendLength()
        var (position, literals) = (0, 0)
        while position &+ 4 <= input.count {
            guard let copy = longestCopy(at: position) else {
                note(position)
                position &+= 1
                continue
            }
            appendLiterals(literals..<position)
            append(copy)
            for passed in position..<(position &+ copy.length) { note(passed) }
            position &+= copy.length
            literals = position
        }
        appendLiterals(literals..<input.count)
    }

    /// Bytes that are the same as some before them.
    private struct Copy {
        var length: Int
        let distance: Int

        /// How many bytes it takes.
        var cost: Int { length <= 11 && distance < 2_048 ? 2 : 3 &* ((length &+ 63) / 64) }
    }

    /// The copy that saves most; nil: none saves anything.
    private func longestCopy(at position: Int) -> Copy? {
        var (best, saved) = (Copy?.none, 0)
        let word = self.word(at: position)
        var place = last[hash(word)]
        for _ in 0..<Self.patience where place >= 0 {
            let earlier = Int(place)
            if self.word(at: earlier) == word {
                let copy = Copy(length: length(from: earlier, position), distance: position &- earlier)
                if copy.length &- copy.cost > saved { (best, saved) = (copy, copy.length &- copy.cost) }
            }
            place = previous[earlier]
        }
        return best
    }

    /// How many bytes from two positions on are the same; the first four are.
    private func length(from earlier: Int, _ position: Int) -> Int {
        let limit = min(Self.longestCopy, input.count &- position)
        var length = 4
        while length < limit, input[earlier &+ length] == input[position &+ length] { length &+= 1 }
        return length
    }

    private mutating func note(_ position: Int) {
        guard position &+ 4 <= input.count else { return }
        let hash = hash(word(at: position))
        previous[position] = last[hash]
        last[hash] = Int32(truncatingIfNeeded: position)
    }

    /// Four bytes from a position on, which are there.
    private func word(at position: Int) -> UInt32 {
        UnsafeRawBufferPointer(input).loadUnaligned(fromByteOffset: position, as: UInt32.self)
    }

    private func hash(_ word: UInt32) -> Int {
        Int((word &* 0x9E37_79B1) >> (32 &- Self.hashBits))
    }

    private mutating func appendLength() {
        var rest = input.count
        while rest >= 0x80 {
            output.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        output.append(UInt8(truncatingIfNeeded: rest))
    }

    private mutating func appendLiterals(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        let count = range.count &- 1
        if count < 60 {
            output.append(UInt8(truncatingIfNeeded: count << 2))
        } else {
            output.append(61 << 2)
            output.append(UInt8(truncatingIfNeeded: count))
            output.append(UInt8(truncatingIfNeeded: count >> 8))
        }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: input[range]))
    }

    private mutating func append(_ copy: Copy) {
        var copy = copy
        while copy.length > 64 {
            // What is left is no shorter than a copy may be.
            let part = copy.length >= 68 ? 64 : 60
            appendCopy(part, copy.distance)
            copy.length &-= part
        }
        guard copy.length <= 11, copy.distance < 2_048 else { return appendCopy(copy.length, copy.distance) }
        output.append(UInt8(truncatingIfNeeded: 1 | (copy.length &- 4) << 2 | (copy.distance >> 8) << 5))
        output.append(UInt8(truncatingIfNeeded: copy.distance))
    }

    private mutating func appendCopy(_ length: Int, _ distance: Int) {
        output.append(UInt8(truncatingIfNeeded: 2 | (length &- 1) << 2))
        output.append(UInt8(truncatingIfNeeded: distance))
        output.append(UInt8(truncatingIfNeeded: distance >> 8))
    }
}
