/// unbound under another name, as its option `log-identity` gives it.
extension LogPrefix {
    /// Whether `name[1234:0] ` is from `position` to `end`: no other program names a thread and has no colon after it.
    @inline(never)
    mutating func takeThread(_ line: LogBytes, _ position: Int, _ end: Int) -> Bool {
        guard time != nil else { return false }
        var index = line.lastIndex(of: 0x5b, before: end)
        guard index > position, let number = Self.thread(line, &index), line[index] == 0x20 else { return false }
        tag = .unbound
        process = number
        start = index &+ 1
        return true
    }

    /// The same where the name has spaces, which a time in brackets shows: no other resolver writes it.
    @inline(__always)
    mutating func takeIdentity(_ line: LogBytes, _ position: Int, _ extent: inout PrefixExtent) -> Bool {
        guard time != nil, line[0] == 0x5b else { return false }
        return takeWords(line, position, &extent)
    }

    @inline(never)
    private mutating func takeWords(_ line: LogBytes, _ position: Int, _ extent: inout PrefixExtent) -> Bool {
        let head = line.part(0, position &+ 64)
        var opening = head.index(of: 0x5b, from: position)
        while opening < head.count {
            var index = opening
            if let number = Self.thread(line, &index), line[index] == 0x20 {
                tag = .unbound
                process = number
                start = index &+ 1
                extent.end = start
                return true
            }
            opening = head.index(of: 0x5b, from: opening &+ 1)
        }
        return false
    }

    /// Through syslog, unbound repeats the process and adds the thread: `name[1234]: [1234:0] `, or `name: [1234:0] `.
    @inline(never)
    mutating func takeRepeatedProcess(_ line: LogBytes) {
        var index = start
        guard line[start] == 0x5b, let number = Self.thread(line, &index), line[index] == 0x20,
            process == 0 || process == number
        else { return }
        tag = .unbound
        process = number
        start = index &+ 1
    }

    /// The process of `[1234:0]`, over which `index` is moved; nil where there is none.
    private static func thread(_ line: LogBytes, _ index: inout Int) -> UInt32? {
        guard line[index] == 0x5b else { return nil }
        let colon = line.part(0, index &+ 12).index(of: 0x3a, from: index)
        guard let number = line.part(index &+ 1, colon).number else { return nil }
        var end = colon &+ 1
        while line[end].hexadecimalDigit != nil, end &- colon <= 16 { end &+= 1 }
        guard end > colon &+ 1, line[end] == 0x5d else { return nil }
        index = end &+ 1
        return UInt32(exactly: number)
    }
}
