/// A rule of a test; its raw value is its stable name.
public protocol TestRule: RawRepresentable, Hashable, Sendable where RawValue == String {
    /// What is expected, in one sentence.
    var expectation: String { get }
    /// What the author of a plugin does where it is not so.
    var advice: String { get }
    /// Whether nothing is shown of a plugin that was not seen to keep it.
    var isEssential: Bool { get }
    /// The rule without which it means nothing; nil: it can always be checked.
    var prerequisite: Self? { get }
}

extension TestRule {
    /// The nearest of the rules without which it means nothing that is among those that are not met.
    ///
    /// A prerequisite that is not for this plugin is not among them, but its own prerequisite may be.
    public func prerequisite(unmet: Set<Self>) -> Self? {
        guard let prerequisite else { return nil }
        return unmet.contains(prerequisite) ? prerequisite : prerequisite.prerequisite(unmet: unmet)
    }
}
