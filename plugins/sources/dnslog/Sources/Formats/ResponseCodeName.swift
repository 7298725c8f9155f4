/// Response codes as resolvers write them.
enum ResponseCodeName {
    /// The code of a name, or nil.
    @inline(always)
    static func code(_ name: LogBytes) -> Int16? {
        if name.isText("NOERROR") { return 0 }
        if name.isText("NXDOMAIN") { return 3 }
        if name.isText("SERVFAIL") { return 2 }
        if name.isText("REFUSED") { return 5 }
        return rare(name)
    }

    /// The code whose name is in `text` from `start` to before `end`, or nil.
    @inline(always)
    static func code(in text: LogBytes, _ start: Int, _ end: Int) -> Int16? {
        // "NOERROR", nearly always.
        if end &- start == 7, text.word(at: start) & 0xff_ffff_ffff_ffff == 0x52_4f52_5245_4f4e { return 0 }
        return rest(text.part(start, end))
    }

    @inline(never)
    private static func rest(_ name: LogBytes) -> Int16? { code(name) }

    @inline(never)
    private static func rare(_ name: LogBytes) -> Int16? {
        switch true {
        case name.isText("FORMERR"): 1
        // unbound and Knot write it with an L.
        case name.isText("NOTIMP"), name.isText("NOTIMPL"), name.isText("not implemented"): 4
        case name.isText("YXDOMAIN"): 6
        case name.isText("YXRRSET"): 7
        case name.isText("NXRRSET"): 8
        case name.isText("NOTAUTH"): 9
        case name.isText("NOTZONE"): 10
        case name.isText("DSOTYPENI"): 11
        case name.isText("BADVERS"), name.isText("BADSIG"): 16
        case name.isText("BADKEY"): 17
        case name.isText("BADTIME"): 18
        case name.isText("BADMODE"): 19
        case name.isText("BADNAME"): 20
        case name.isText("BADALG"): 21
        case name.isText("BADTRUNC"): 22
        case name.isText("BADCOOKIE"): 23
        default: number(name)
        }
    }

    /// `1`, `RCODE12` or `RESERVED12`.
    private static func number(_ name: LogBytes) -> Int16? {
        let start = name.has("RCODE") ? 5 : name.has("RESERVED") ? 8 : 0
        guard let number = name.from(start).number, number < 4096 else { return nil }
        return Int16(truncatingIfNeeded: number)
    }
}
