/// The text before the message of a line: which program wrote it, and when.
struct LogPrefix {
    /// Where the message begins.
    var start = 0
    /// Milliseconds of a clock whose zone and year may be unknown: only differences mean something.
    ///
    /// Nil without a time.
    var time: Int64?
    var tag = LogTag.none
    /// The number of the process, 0 when it is not logged.
    var process: UInt32 = 0
}

extension LogPrefix {
    /// Reads what daemons, syslog, journald and container runtimes write before a message.
    ///
    ///     prefix  = [ "<" PRI ">" [ "1 " ] ] [ time " " ] [ stream | tag | host " " tag | host " " rfc5424 ]
    ///     time    = "Nov 21 01:06:03" | "[1795223093]" | "1795223093.123" | "2026-11-21T01:06:03.123+01:00"
    ///             | "2026-11-21 01:06:03" | "2026/11/21 01:06:03" | "21-Nov-2026 01:06:03.123"
    ///     tag     = program [ "[" pid [ ":" thread ] "]" ] ":" " "       ; the colon may lack behind unbound[pid:thread]
    ///     tag     =/ identity "[" pid ":" thread "] "                    ; unbound under another name
    ///     tag     =/ identity [ "[" pid "]" ] ": [" pid ":" thread "] "  ; the same, through syslog
    ///     rfc5424 = program " " pid " " msgid " " ( "-" | "[" ... "]" ) " "
    ///     stream  = ( "stdout" | "stderr" ) " " ( "F" | "P" ) " "        ; Kubernetes
    init(_ line: LogBytes) {
        var known = KnownTime()
        var extent = PrefixExtent()
        self.init(line, &known, &extent)
    }

    /// Reads a prefix; `known` is the time of a line before, which makes that of this one cheap, and `extent` becomes what
    /// decided.
    @inline(__always)
    init(_ line: LogBytes, _ known: inout KnownTime, _ extent: inout PrefixExtent) {
        if Self.isGroup(line) { return }
        var position = 0
        let isNewSyslog = line[0] == 0x3c && Self.skipPriority(line, &position)
        var reader = TimeReader(line, position)
        if reader.read(&known) {
            time = reader.time
            extent.fraction = reader.thousandths
            position = reader.end
            if line[position] == 0x3a { position &+= 1 }
            if line[position] == 0x20 { position &+= 1 }
        }
        start = position
        if isNewSyslog {
            readStructured(line, position)
            if tag != .none { extent.end = start }
        } else {
            readTag(line, position, &extent)
        }
    }

    /// Whether `line` begins with a group of Knot Resolver: neither time nor tag is before it.
    @inline(__always)
    static func isGroup(_ line: LogBytes) -> Bool { line[0] == 0x5b && line[1] &- 0x61 < 26 }

    @inline(never)
    private static func skipPriority(_ line: LogBytes, _ position: inout Int) -> Bool {
        var index = 1
        while index < 5, line[index] &- 0x30 < 10 { index &+= 1 }
        guard index > 1, line[index] == 0x3e else { return false }
        position = index &+ 1
        guard line.has("1 ", at: position) else { return false }
        position &+= 2
        return true
    }

    private mutating func readTag(_ line: LogBytes, _ position: Int, _ extent: inout PrefixExtent) {
        let space = line.space(from: position)
        guard space < line.count else { return }
        if takeTag(line, position, space) {
            extent.end = start
            // unbound's thread: `[1234:0] `.
            if tag == .unbound, line[start &- 2] == 0x5d, line[start &- 4] == 0x3a { extent.free = start &- 3 }
            return
        }
        if takeIdentity(line, position, &extent) { return }
        guard space &- position <= 255 else { return }
        if line[position] == 0x73, line.has("stdout ", at: position) || line.has("stderr ", at: position) {
            if line[space &+ 2] == 0x20 { start = space &+ 3 }
            return
        }
        // The first pair of PowerDNS's structured log, and no host.
        if time != nil, line[0] != 0x5b, line.has("msg=\"", at: position) {
            extent.end = position &+ 5
            return
        }
        // After the name of a host; without a time before it, it is none. Why there is no time may be further on.
        guard time != nil else { return }
        let second = space &+ 1
        let secondEnd = line.space(from: second)
        if takeTag(line, second, secondEnd)
            || line[secondEnd &- 1] == 0x3a && takeForeignTag(line, position, second, secondEnd)
        {
            extent.end = start
        } else if second < line.count, !Self.isNameByte(line[second]) {
            // No tag begins so.
            extent.end = second &+ 1
        } else {
            extent.end = secondEnd < line.count ? secondEnd &+ 1 : 0
        }
        // PowerDNS's thread, which decides nothing.
        if tag == .none, space == position &+ 1, line[position &- 1] == 0x20 { extent.free = position }
    }

    /// Whether the word from `position` to `wordEnd` is a tag; if so, the message begins after it.
    @inline(__always)
    private mutating func takeTag(_ line: LogBytes, _ position: Int, _ wordEnd: Int) -> Bool {
        // Nearly all words that are no tag are recognized by their end.
        let last = line[wordEnd &- 1]
        guard wordEnd < line.count, last == 0x3a || last == 0x5d, Self.isNameByte(line[position]) else {
            return false
        }
        // Without a process, it is the name of a resolver.
        if last == 0x3a, line[wordEnd &- 2] != 0x5d, !LogTag.mayBegin(with: line[position]) {
            return false
        }
        return takeTag(line, position, wordEnd, last)
    }

    @inline(never)
    private mutating func takeTag(_ line: LogBytes, _ position: Int, _ wordEnd: Int, _ last: UInt8)
        -> Bool
    {
        if last == 0x3a, line[wordEnd &- 2] != 0x5d {
            let tag = LogTag(line.part(position, wordEnd &- 1))
            guard tag != .foreign else { return false }
            self.tag = tag
            process = 0
            start = wordEnd &+ 1
            return true
        }
        var index = position
        while index < line.count, Self.isNameByte(line[index]), index &- position < 48 { index &+= 1 }
        guard index > position else { return false }
        let tag = LogTag(line.part(position, index))
        var number: UInt32 = 0
        let hasNumber = Self.skipProcess(line, &index, &number)
        guard hasNumber || tag != .foreign else { return false }
        if line[index] == 0x3a {
            index &+= 1
        } else if tag != .unbound || !hasNumber {
            return takeThread(line, position, index)
        }
        guard line[index] == 0x20 else { return false }
        self.tag = tag
        process = number
        start = index &+ 1
        if tag == .foreign { takeRepeatedProcess(line) }
        return true
    }

    /// Reads `[1234]` or `[1234:0]`.
    private static func skipProcess(_ line: LogBytes, _ index: inout Int, _ number: inout UInt32) -> Bool {
        guard line[index] == 0x5b else { return false }
        var place = index &+ 1
        var value: UInt32 = 0
        while line[place] &- 0x30 < 10, place &- index < 12 {
            value = value &* 10 &+ UInt32(line[place] &- 0x30)
            place &+= 1
        }
        guard place > index &+ 1 else { return false }
        if line[place] == 0x3a {
            place &+= 1
            while line[place].hexadecimalDigit != nil, place &- index < 32 { place &+= 1 }
        }
        guard line[place] == 0x5d else { return false }
        index = place &+ 1
        number = value
        return true
    }

    /// Whether the word from `position` to `end`, after a host and ending in a colon, is the tag of a program whose
    /// number is not logged: `kernel: `.
    @inline(never)
    private mutating func takeForeignTag(_ line: LogBytes, _ host: Int, _ position: Int, _ end: Int) -> Bool {
        guard end < line.count, end &- position > 1, line[position &- 2] != 0x3a else { return false }
        // BIND's severity: `debug 1: `.
        if line[position] &- 0x30 < 10, line.has("debug ", at: host) { return false }
        for index in host..<(end &- 1) where index != position &- 1 {
            guard Self.isNameByte(line[index]) || line[index] == 0x3a && index < position else { return false }
        }
        tag = .foreign
        process = 0
        start = end &+ 1
        takeRepeatedProcess(line)
        return true
    }

    private mutating func readStructured(_ line: LogBytes, _ position: Int) {
        let program = line.space(from: position) &+ 1
        let process = line.space(from: program) &+ 1
        let message = line.space(from: process) &+ 1
        let data = line.space(from: message) &+ 1
        guard data < line.count else { return }
        tag = LogTag(line.part(program, process &- 1))
        self.process = UInt32(truncatingIfNeeded: line.part(process, message &- 1).number ?? 0)
        var end = data
        if line[data] == 0x5b {
            while end < line.count, !(line[end] == 0x5d && line[end &+ 1] == 0x20) { end &+= 1 }
        }
        start = min(end &+ 2, line.count)
        if tag == .foreign { takeRepeatedProcess(line) }
    }

    /// A letter, a digit, or one of `-./@_`: one bit for each character of ASCII.
    @inline(__always)
    private static func isNameByte(_ byte: UInt8) -> Bool {
        let bits: UInt64 = byte < 64 ? 0x03ff_e000_0000_0000 : byte < 128 ? 0x07ff_fffe_87ff_ffff : 0
        return bits >> UInt64(byte & 63) & 1 != 0
    }
}
