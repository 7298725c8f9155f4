extension ResponseCodeName {
    /// What a code means that another server answered with.
    static func cause(_ name: LogBytes) -> UpstreamCause {
        switch code(name) {
        case 2: .servfail
        case 5: .refused
        case 1: .formerr
        case 4: .notimp
        default: .other
        }
    }
}
