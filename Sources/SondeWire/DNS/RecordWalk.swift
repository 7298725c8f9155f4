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
    private var soundPointer: UInt16

    /// A walk from `position` on; the header is followed by a valid name, unless there is no question.
    init(message: WireBytes, position: Int) {
        self.message = message
        self.position = position
        soundPointer = position > DNSHeader.size ? 0xc000 | UInt16(DNSHeader.size) : 0
    }

    /// Steps over `count` questions.
    @inline(__always)
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
        var left = count
        while left > 0 {
            let fields = try passName(at: position)
            position = try dataEnd(fields)
            try checkData(type: message.unchecked16(fields), from: fields &+ 10)
            left &-= 1
        }
    }

    /// Steps over `count` records and returns the contents of the first OPT among them.
    @inline(__always)
    mutating func findEDNS(among count: Int) throws(DNSMalformation) -> EDNS? {
        var found: EDNS?
        var left = count
        while left > 0 {
            let start = position
            let fields = try passName(at: start)
            position = try dataEnd(fields)
            let type = message.unchecked16(fields)
            // OPT belongs to the root (RFC 6891, section 6.1.2).
            if type == DNSType.opt.rawValue, fields == start &+ 1 {
                let data = message.prefix(position).dropping(fields &+ 10)
                let edns = try EDNS(
                    recordClass: message.unchecked16(fields &+ 2),
                    timeToLive: message.unchecked32(fields &+ 4),
                    data: data
                )
                if found == nil { found = edns }
            } else {
                try checkData(type: type, from: fields &+ 10)
            }
            left &-= 1
        }
        return found
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
        return try passOtherName(at: offset, first: first)
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

    @inline(never)
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
    private mutating func passDataName(at offset: Int) throws(DNSMalformation) -> Int {
        do throws(DNSMalformation) {
            return try passName(at: offset)
        } catch {
            throw error == .pastEnd ? .recordData : error
        }
    }
}
