/// Steps over further questions and the records of a message, and looks for OPT among the additional ones.
///
/// A message of 64 KiB may hold ten thousand names that each point at the longest one, by way of 16 pointers. Once more
/// labels and pointers were looked at than the message has bytes, which no honest one comes near, names are only stepped
/// over: the work stays in proportion to the bytes.
struct RecordWalk {
    let message: WireBytes
    private(set) var position: Int
    /// Labels and pointers of names that were looked at.
    private(set) var nameSteps = 0
    /// The pointer that was last found sound: most records of a message begin with the same one.
    ///
    /// 0 is no pointer.
    private var soundPointer: UInt16
    /// Octets of the first question's name, to which most pointers lead; 0 without one.
    private let questionLength: Int

    private static let questionPointer = 0xc000 | UInt16(DNSHeader.size)

    /// A walk from `position` on; the header is followed by a valid name, unless there is no question.
    @inline(__always)
    init(message: WireBytes, position: Int, questionLength: Int = 0) {
        self.message = message
        self.position = position
        self.questionLength = questionLength
        soundPointer = position > DNSHeader.size ? Self.questionPointer : 0
    }

    /// Steps over `count` questions.
    @inline(never)
    mutating func skipQuestions(_ count: Int) throws(DNSMalformation) {
        var left = count
        while left > 0 {
            let fields = try passName(at: position)
            guard message.has(4, at: fields) else { throw .pastEnd }
            position = fields &+ 4
            left &-= 1
        }
    }

    /// Steps over `count` records.
    @inline(__always)
    mutating func skip(_ count: Int) throws(DNSMalformation) {
        var place = position
        var left = count
        while left > 0 {
            left &-= 1
            if let end = addressEnd(at: place) {
                place = end
            } else {
                position = place
                try skipRecord()
                place = position
            }
        }
        position = place
    }

    /// Steps over `count` records and returns the contents of the first OPT among them.
    @inline(__always)
    mutating func findEDNS(among count: Int) throws(DNSMalformation) -> EDNS? {
        var found: EDNS?
        var left = count
        while left > 0 {
            left &-= 1
            if let end = optionsEnd(at: position) {
                let edns = try readEDNS(to: end)
                if found == nil { found = edns }
            } else {
                try skipRecord()
            }
        }
        return found
    }

    /// Where an address record at `place` ends whose name is the pointer that was last found sound; nil for any other one.
    ///
    /// These are most of what answers hold. `place` is not negative.
    @inline(__always)
    private func addressEnd(at place: Int) -> Int? {
        guard place &+ 12 <= message.count, soundPointer != 0, message.unchecked16(place) == soundPointer else {
            return nil
        }
        let type = message.unchecked16(place &+ 2)
        let end = place &+ 12 &+ Int(message.unchecked16(place &+ 10))
        guard type == DNSType.a.rawValue || type == DNSType.aaaa.rawValue, end <= message.count else { return nil }
        return end
    }

    /// Where an OPT record at `place` ends; nil for any other one.
    ///
    /// OPT belongs to the root (RFC 6891, section 6.1.2). `place` is not negative.
    @inline(__always)
    private func optionsEnd(at place: Int) -> Int? {
        guard place &+ 11 <= message.count, message.unchecked8(place) == 0,
            message.unchecked16(place &+ 1) == DNSType.opt.rawValue
        else { return nil }
        let end = place &+ 11 &+ Int(message.unchecked16(place &+ 9))
        return end <= message.count ? end : nil
    }

    /// Reads the OPT record at the position, which ends at `end`.
    @inline(__always)
    private mutating func readEDNS(to end: Int) throws(DNSMalformation) -> EDNS {
        let start = position
        position = end
        return try EDNS(
            recordClass: message.unchecked16(start &+ 3),
            timeToLive: message.unchecked32(start &+ 5),
            data: message.prefix(end).dropping(start &+ 11)
        )
    }

    /// Steps over any record.
    @inline(never)
    private mutating func skipRecord() throws(DNSMalformation) {
        let fields = try passName(at: position)
        position = try dataEnd(fields)
        try checkData(type: message.unchecked16(fields), from: fields &+ 10)
    }

    /// Where the record whose type is at `fields` ends; afterwards all of it is known to be there.
    @inline(__always)
    private func dataEnd(_ fields: Int) throws(DNSMalformation) -> Int {
        guard message.has(10, at: fields) else { throw .pastEnd }
        let length = Int(message.unchecked16(fields &+ 8))
        guard message.has(length, at: fields &+ 10) else { throw .pastEnd }
        return fields &+ 10 &+ length
    }

    /// Where what follows the name at `offset` begins.
    @inline(__always)
    private mutating func passName(at offset: Int) throws(DNSMalformation) -> Int {
        guard message.has(2, at: offset) else {
            guard message.uint8(at: offset) == 0 else { throw .pastEnd }
            return offset &+ 1
        }
        let first = message.unchecked16(offset)
        if first == soundPointer, first >= 0xc000 { return offset &+ 2 }
        if first < 0x100 { return offset &+ 1 }
        if let end = endOfNameBelowQuestion(at: offset) { return end }
        return try passOtherName(at: offset, first: first)
    }

    /// Where a name ends that is some labels before the name of the first question; nil for any other one.
    ///
    /// What that name is was checked already. `offset` is not negative, and after the question.
    @inline(__always)
    private func endOfNameBelowQuestion(at offset: Int) -> Int? {
        guard questionLength > 0 else { return nil }
        let last = min(message.count &- 2, offset &+ DNSName.mostOctets &- questionLength)
        var place = offset
        while place <= last {
            let length = message.unchecked8(place)
            guard length &- 1 < 0x3f else {
                return message.unchecked16(place) == Self.questionPointer ? place &+ 2 : nil
            }
            place &+= Int(length) &+ 1
        }
        return nil
    }

    @inline(never)
    private mutating func passOtherName(at offset: Int, first: UInt16) throws(DNSMalformation) -> Int {
        guard nameSteps < message.count else { return try DNSName.end(in: message, at: offset) }
        let name = try DNSName(in: message, at: offset)
        nameSteps &+= name.stepCount
        if first >= 0xc000 { soundPointer = first }
        return name.end
    }

    /// Checks the names in the data of a record that ends at `position`.
    ///
    /// The types whose names may be compressed (RFC 3597, section 4). Records without data are those of updates.
    @inline(__always)
    private mutating func checkData(type: UInt16, from start: Int) throws(DNSMalformation) {
        // Addresses are what most records hold.
        guard type != DNSType.a.rawValue, type != DNSType.aaaa.rawValue, start < position else { return }
        try checkNames(type: type, from: start)
    }

    @inline(__always)
    private mutating func checkNames(type: UInt16, from start: Int) throws(DNSMalformation) {
        switch type {
        case 2, 5, 12, 39:
            guard try passDataName(at: start) == position else { throw .recordData }
        case 15:
            guard start &+ 2 < position, try passDataName(at: start &+ 2) == position else { throw .recordData }
        case 33:
            guard start &+ 6 < position, try passDataName(at: start &+ 6) == position else { throw .recordData }
        case 6:
            let mailbox = try passDataName(at: start)
            guard mailbox < position, try passDataName(at: mailbox) &+ 20 == position else { throw .recordData }
        default: break
        }
    }

    /// Where what follows a name in the data of a record begins; all of that data is there.
    @inline(never)
    private mutating func passDataName(at offset: Int) throws(DNSMalformation) -> Int {
        do throws(DNSMalformation) {
            return try passName(at: offset)
        } catch {
            throw error == .pastEnd ? .recordData : error
        }
    }
}
