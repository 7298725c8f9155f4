/// Why a server that the resolver queried failed.
enum UpstreamCause: UInt8, CaseIterable {
    case servfail
    case refused
    case formerr
    case notimp
    /// It did not answer in time.
    case timeout
    /// Nothing listens there.
    case unreachable
    /// It answered with what is no answer.
    case malformed
    /// It is not responsible for the name.
    case lame
    case other

    /// The value of the attribute `error.type`.
    var attribute: String { "\(self)" }
}
