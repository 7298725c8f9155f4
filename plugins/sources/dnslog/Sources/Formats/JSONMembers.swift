/// Walks the members of a JSON object in place, without parsing nested values.
struct JSONMembers {
    /// The member's key, without quotes and as it is escaped.
    private(set) var key = LogBytes.none
    /// The member's value; of a string, what is between the quotes.
    private(set) var value = LogBytes.none
    /// Whether the object was not what it should be.
    private(set) var isBroken = false
    private let text: LogBytes
    private var index = 1
    private var isFirst = true

    /// The object that `text` is.
    init(_ text: LogBytes) {
        self.text = text
        isBroken = text[0] != 0x7b
    }

    /// Steps to the next member; false at the end, and where the object is broken.
    mutating func next() -> Bool {
        guard !isBroken else { return false }
        skipSpace()
        if text[index] == 0x7d { return false }
        if !isFirst {
            guard take(0x2c) else { return false }
        }
        isFirst = false
        guard let key = string(), take(0x3a) else { return fail() }
        self.key = key
        skipSpace()
        switch text[index] {
        case 0x22:
            guard let value = string() else { return fail() }
            self.value = value
        case 0x7b, 0x5b: return skipNested()
        default:
            let start = index
            while index < text.count, text[index] != 0x2c, text[index] != 0x7d { index &+= 1 }
            value = text.part(start, index)
        }
        return index < text.count ? true : fail()
    }

    private mutating func skipSpace() {
        while text[index] == 0x20 || text[index] == 0x09 { index &+= 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard text[index] == byte else { return fail() }
        index &+= 1
        skipSpace()
        return true
    }

    private mutating func fail() -> Bool {
        isBroken = true
        return false
    }

    /// A string with its quotes, stepped over.
    private mutating func string() -> LogBytes? {
        skipSpace()
        guard text[index] == 0x22 else { return nil }
        let start = index &+ 1
        var end = text.index(of: 0x22, from: start)
        while end < text.count, text[end &- 1] == 0x5c {
            var slashes = 0
            while end &- slashes > start, text[end &- slashes &- 1] == 0x5c { slashes &+= 1 }
            if slashes & 1 == 0 { break }
            end = text.index(of: 0x22, from: end &+ 1)
        }
        guard end < text.count else { return nil }
        index = end &+ 1
        return text.part(start, end)
    }

    /// Steps over an object or an array; brackets in strings do not count.
    private mutating func skipNested() -> Bool {
        let start = index
        var depth = 0
        while index < text.count {
            switch text[index] {
            case 0x22:
                guard string() != nil else { return fail() }
                continue
            case 0x7b, 0x5b: depth &+= 1
            case 0x7d, 0x5d: depth &-= 1
            default: break
            }
            index &+= 1
            if depth == 0 {
                value = text.part(start, index)
                return true
            }
        }
        return fail()
    }
}
