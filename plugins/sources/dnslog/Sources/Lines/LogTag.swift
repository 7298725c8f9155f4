/// Which program wrote a line, by the tag of its prefix.
enum LogTag: UInt8 {
    /// There is no tag: the resolver writes its file itself.
    case none
    case unbound
    case named
    case dnsmasq
    case powerdns
    case kresd
    case coredns
    /// Another program, in a log of several.
    case foreign

    /// Whether the name of a program that is no foreign one begins so.
    @inline(always)
    static func mayBegin(with byte: UInt8) -> Bool {
        switch byte {
        case 0x75, 0x6e, 0x64, 0x70, 0x6b, 0x63: true
        default: false
        }
    }

    /// The tag of a program's name.
    init(_ name: LogBytes) {
        switch name[0] {
        case 0x75 where name.isText("unbound"): self = .unbound
        case 0x6e where name.isText("named"): self = .named
        case 0x64 where name.isText("dnsmasq"): self = .dnsmasq
        case 0x70 where name.has("pdns_recursor") || name.has("pdns-recursor"): self = .powerdns
        case 0x6b where name.has("kresd"): self = .kresd
        case 0x63 where name.isText("coredns"): self = .coredns
        default: self = .foreign
        }
    }
}
