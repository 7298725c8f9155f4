internal import SondeWire

/// Finds the number of a query type by its name, in one step.
struct TypeTable: ~Copyable {
    /// A type whose name is unknown.
    static let unknown = UInt16.max

    private struct Entry {
        /// Up to eight letters, the first one lowest.
        var word: UInt64 = 0
        var length: UInt32 = 0
        var type: UInt16 = 0
    }

    private static let size = 512
    private let entries: UnsafeMutablePointer<Entry>

    init() {
        entries = .allocate(capacity: Self.size)
        entries.initialize(repeating: Entry(), count: Self.size)
        for number in Array(1...300) + [32768, 32769] {
            let name = DNSType(rawValue: UInt16(number)).mnemonic
            // Those without a name are found by their number.
            if name.utf8.first != 0x54 || !name.utf8.elementsEqual("TYPE\(number)".utf8) {
                insert(name, UInt16(number))
            }
        }
        // dnsmasq writes it so.
        insert("NSAP_PTR", 23)
    }

    deinit {
        entries.deallocate()
    }

    /// The number of a type: by its name, or as `TYPE65280` (RFC 3597), `type=65280` or `65280`.
    @inline(always)
    func number(_ name: LogBytes) -> UInt16 {
        let word = name.word(at: 0)
        return find(word, name.count) ?? Self.numbered(name)
    }

    /// The number of the type that is written from `start` to before `end`.
    @inline(always)
    func number(in line: LogBytes, _ start: Int, _ end: Int) -> UInt16 {
        let length = end &- start
        // The words after it are there as well, nearly always: no need to go byte by byte.
        guard length > 0, length < 8, start >= 0, end <= line.count, line.count >= 8 else {
            return number(line.part(start, end))
        }
        // At the end of a line, those before it.
        let place = start &+ 8 <= line.count ? start : line.count &- 8
        let whole = line.wholeWord(place)
        let word = whole &>> UInt64(truncatingIfNeeded: (start &- place) &* 8) & (1 &<< UInt64(length &* 8) &- 1)
        return find(word, length) ?? Self.numbered(line.part(start, end))
    }

    @inline(always)
    private func find(_ word: UInt64, _ length: Int) -> UInt16? {
        var place = Self.place(word, length)
        while true {
            let entry = entries + place
            guard entry.pointee.length != 0 else { return nil }
            if entry.pointee.word == word, Int(entry.pointee.length) == length {
                return entry.pointee.type
            }
            place = (place &+ 1) & (Self.size &- 1)
        }
    }

    @inline(always)
    private static func place(_ word: UInt64, _ length: Int) -> Int {
        let hash = (word &+ UInt64(truncatingIfNeeded: length)) &* 0x9e37_79b9_7f4a_7c15
        return Int(truncatingIfNeeded: hash &>> 55)
    }

    private func insert(_ name: String, _ type: UInt16) {
        var text = name
        text.withUTF8 { bytes in
            let word = LogBytes(UnsafeRawBufferPointer(bytes)).word(at: 0)
            var place = Self.place(word, bytes.count)
            while entries[place].length != 0 { place = (place &+ 1) & (Self.size &- 1) }
            entries[place] = Entry(word: word, length: UInt32(clamping: bytes.count), type: type)
        }
    }

    @inline(never)
    private static func numbered(_ name: LogBytes) -> UInt16 {
        let start = name.has("TYPE") ? 4 : name.has("type=") ? 5 : 0
        guard let number = name.from(start).number else { return unknown }
        return UInt16(exactly: number) ?? unknown
    }
}
