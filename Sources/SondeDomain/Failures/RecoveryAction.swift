/// What happens after a failure, and what a person can do about it.
public enum RecoveryAction: Hashable, Sendable {
    /// The same work is tried again after this wait.
    case retry(after: Nanoseconds)
    /// Held; probed this often until it works.
    case probe(every: Nanoseconds)
    /// The batch is split and offered again.
    case split
    /// The batch or unit is set aside and counted.
    case setAside
    /// The agent does not start.
    case refuseToStart
    /// Something that only a person can do, as one sentence.
    case advise(String)
}

extension RecoveryAction {
    /// The separator between a message and a hint: a hint that begins with a capital is a separate sentence.
    public static func separator(before hint: String) -> String {
        guard let first = hint.utf8.first, (0x41...0x5a).contains(first) else { return "; " }
        return ". "
    }
}

extension RecoveryAction {
    /// Whether it is something that only a person can do.
    var isAdvice: Bool {
        if case .advise = self { true } else { false }
    }
}
