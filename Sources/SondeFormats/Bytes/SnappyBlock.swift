/// A short body in the block format of snappy, packed with more patience than libsnappy has.
///
/// An agent that sends each interval sends short bodies, in which libsnappy passes over many repetitions: it searches at
/// most one earlier place for each position, and few positions where it has found none. Here the copies of every position
/// are found first, and then the cheapest sequence of copies and literals. Format: format_description.txt of google/snappy.
public struct SnappyBlock {
    /// The longest body that is worth it; libsnappy is many times as fast.
    public static let longestBody = 32 << 10

    // How many earlier places are compared.
    private static let patience = 64
    private static let hashBits: UInt32 = 13
    // What a copy can say: in two bytes, and in three.
    private static let longestNear = 11
    private static let nearest = 2_048
    private static let longestFar = 64
    private static let farthest = 65_535

    /// The longest copies from a position on; 0: none.
    private struct Copies {
        /// One that takes two bytes.
        var near = UInt8(0)
        var nearDistance = UInt16(0)
        /// One that takes three.
        var far = UInt8(0)
        var farDistance = UInt16(0)
    }

    /// How many bytes the rest takes from a position on.
    private struct Costs {
        var copied = Int32.max
        /// Where literals end before it, and where one does not, which would cost a tag.
        var inLiterals = Int32(0)
        var alone = Int32(0)
    }

    private let input: UnsafeBufferPointer<UInt8>
    private var output: [UInt8] = []
    private var copies: [Copies]
    private var costs: [Costs]

    /// The packed body; the same for the same body.
    ///
    /// Takes some 60 ns a byte.
    public static func packed(_ body: [UInt8]) -> [UInt8] {
        body.withUnsafeBufferPointer { input in
            var block = SnappyBlock(input)
            block.find()
            block.weigh()
            block.write()
            return block.output
        }
    }

    private init(_ input: UnsafeBufferPointer<UInt8>) {
        self.input = input
        copies = [Copies](repeating: Copies(), count: input.count)
        costs = [Costs](repeating: Costs(), count: input.count + 1)
        output.reserveCapacity(input.count / 3)
    }

    /// Finds the copies of every position.
    private mutating func find() {
        // The last position of each hash, and the one before each position; -1: none.
        var last = [Int32](repeating: -1, count: 1 << Self.hashBits)
        var previous = [Int32](repeating: -1, count: input.count)
        var position = 0
        while position &+ 4 <= input.count {
            let hash = Int((word(at: position) &* 0x9E37_79B1) >> (32 &- Self.hashBits))
            previous[position] = last[hash]
            last[hash] = Int32(truncatingIfNeeded: position)
            copies[position] = longestCopies(at: position, previous)
            position &+= 1
        }
    }

    private func longestCopies(at position: Int, _ previous: [Int32]) -> Copies {
        let word = self.word(at: position)
        let limit = min(Self.longestFar, input.count &- position)
        var copies = Copies()
        var longest = 3
        var patience = Self.patience
        var place = Int(previous[position])
        // From near to far, so that the longest of the near ones is known before the first that is not.
        while place >= 0, patience > 0, longest < limit, position &- place <= Self.farthest {
            if input[place &+ longest] == input[position &+ longest], self.word(at: place) == word {
                let length = self.length(from: place, position, limit)
                if length > longest {
                    longest = length
                    let distance = UInt16(truncatingIfNeeded: position &- place)
                    (copies.far, copies.farDistance) = (UInt8(truncatingIfNeeded: length), distance)
                    if distance < Self.nearest {
                        copies.near = UInt8(truncatingIfNeeded: min(length, Self.longestNear))
                        copies.nearDistance = distance
                    }
                }
            }
            place = Int(previous[place])
            patience &-= 1
        }
        return copies
    }

    /// How many bytes from two positions on are the same, up to a limit; the first four are.
    private func length(from earlier: Int, _ position: Int, _ limit: Int) -> Int {
        var length = 4
        while length < limit, input[earlier &+ length] == input[position &+ length] { length &+= 1 }
        return length
    }

    /// Four bytes from a position on, which are there.
    private func word(at position: Int) -> UInt32 {
        UnsafeRawBufferPointer(input).loadUnaligned(fromByteOffset: position, as: UInt32.self)
    }

    /// From the end on: a copy costs the same however long it is, so of each kind the longest is the cheapest.
    private mutating func weigh() {
        var position = input.count &- 1
        while position >= 0 {
            let found = copies[position]
            var cost = Costs()
            if found.near > 0 { cost.copied = 2 &+ costs[position &+ Int(found.near)].alone }
            if found.far > 0 { cost.copied = min(cost.copied, 3 &+ costs[position &+ Int(found.far)].alone) }
            let literal = 1 &+ costs[position &+ 1].inLiterals
            cost.inLiterals = min(cost.copied, literal)
            cost.alone = min(cost.copied, 1 &+ literal)
            costs[position] = cost
            position &-= 1
        }
    }

    private mutating func write() {
        appendLength()
        var (position, literals) = (0, 0)
        while position < input.count {
            let tag: Int32 = literals == position ? 1 : 0
            guard costs[position].copied <= tag &+ 1 &+ costs[position &+ 1].inLiterals else {
                position &+= 1
                continue
            }
            appendLiterals(literals..<position)
            position &+= appendCopy(copies[position], rest: position)
            literals = position
        }
        appendLiterals(literals..<input.count)
    }

    /// Appends the cheaper of the copies from a position on, and returns its length.
    private mutating func appendCopy(_ found: Copies, rest position: Int) -> Int {
        let (near, far) = (Int(found.near), Int(found.far))
        if near > 0, costs[position].copied == 2 &+ costs[position &+ near].alone {
            output.append(UInt8(truncatingIfNeeded: 1 | (near &- 4) << 2 | Int(found.nearDistance >> 8) << 5))
            output.append(UInt8(truncatingIfNeeded: found.nearDistance))
            return near
        }
        output.append(UInt8(truncatingIfNeeded: 2 | (far &- 1) << 2))
        output.append(UInt8(truncatingIfNeeded: found.farDistance))
        output.append(UInt8(truncatingIfNeeded: found.farDistance >> 8))
        return far
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
        // Up to 60 the tag says it; after it come one to four bytes.
        let bytes = count < 60 ? 0 : (71 &- UInt64(count).leadingZeroBitCount) / 8
        output.append(UInt8(truncatingIfNeeded: (bytes == 0 ? count : 59 &+ bytes) << 2))
        for byte in 0..<bytes { output.append(UInt8(truncatingIfNeeded: count >> (8 &* byte))) }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: input[range]))
    }
}
