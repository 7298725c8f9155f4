extension DNSSummary {
    /// Reads a message; `captured` is what was kept of its `wireLength` bytes.
    ///
    /// What was read before is forgotten. Hashes are made with `seed`: where they are used, it is a secret.
    public mutating func decode(_ captured: WireBytes, wireLength: Int, seed: UInt64) {
        self = DNSSummary()
        let message = captured.prefix(wireLength)
        let isCut = message.count < wireLength
        do throws(DNSMalformation) {
            try read(message, wireLength: wireLength, seed: seed)
        } catch {
            // What was after the cut is unknown.
            let isForTheCut = error == .pastEnd || error == .shortHeader
            if !(isCut && isForTheCut) { malformation = error }
        }
    }

    @inline(__always)
    private mutating func read(_ message: WireBytes, wireLength: Int, seed: UInt64) throws(DNSMalformation) {
        guard let header = DNSHeader(message) else {
            readFlags(message, wireLength: wireLength)
            throw .shortHeader
        }
        id = header.id
        flags = header.flags
        questionCount = header.questionCount
        answerCount = header.answerCount
        responseCode = DNSResponseCode(rawValue: flags.lowResponseCode)
        extent = .header
        guard !header.isAbsurd(length: wireLength) else { throw .absurdCount }
        guard !header.asksNothing else { throw .asksNothing }
        let records = try readFirstQuestion(message, count: Int(header.questionCount), seed: seed)
        var walk = RecordWalk(message: message, position: records, questionLength: nameLength)
        if header.questionCount > 1 { try walk.skipQuestions(Int(header.questionCount) &- 1) }
        extent = .questions
        try walk.skip(Int(header.answerCount) &+ Int(header.authorityCount))
        edns = try walk.findEDNS(among: Int(header.additionalCount))
        if let edns {
            responseCode = DNSResponseCode(rawValue: flags.lowResponseCode | UInt16(edns.highResponseCode) << 4)
        }
        extent = .whole
    }

    /// Reads what of the header comes first, when the capture cut the rest.
    @inline(never)
    private mutating func readFlags(_ message: WireBytes, wireLength: Int) {
        guard message.count < wireLength, message.has(4) else { return }
        id = message.unchecked16(0)
        flags = DNSFlags(rawValue: message.unchecked16(2))
        responseCode = DNSResponseCode(rawValue: flags.lowResponseCode)
        extent = .flags
    }

    /// Reads the first question, if there is one; returns where it ends.
    @inline(__always)
    private mutating func readFirstQuestion(
        _ message: WireBytes, count: Int, seed: UInt64
    ) throws(DNSMalformation) -> Int {
        guard count > 0 else { return DNSHeader.size }
        let nameEnd = try firstNameEnd(message)
        guard message.has(4, at: nameEnd) else { throw .pastEnd }
        nameLength = nameEnd &- DNSHeader.size
        nameHash = FoldedName.hash(message, at: DNSHeader.size, length: nameLength, seed: seed)
        questionType = DNSType(rawValue: message.unchecked16(nameEnd))
        questionClass = DNSClass(rawValue: message.unchecked16(nameEnd &+ 2))
        return nameEnd &+ 4
    }

    /// Where the first name ends; there is nothing before it that a pointer might lead to.
    @inline(__always)
    private func firstNameEnd(_ message: WireBytes) throws(DNSMalformation) -> Int {
        let longest = DNSHeader.size &+ DNSName.mostOctets
        let end = min(message.count, longest)
        var position = DNSHeader.size
        while position < end {
            let length = message.unchecked8(position)
            position &+= Int(length) &+ 1
            // 1 to 63 octets: one comparison for what most labels are.
            guard length &- 1 < 0x3f else {
                if length == 0 { return position }
                throw length < 0xc0 ? .labelType : .pointerNotBackwards
            }
        }
        throw position < longest ? .pastEnd : .nameTooLong
    }
}
