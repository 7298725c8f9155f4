/// Why the check of a rule ended before the plugin has kept it.
enum RuleEnd: Error, Hashable {
    /// What was seen.
    case failed(String)
    /// Why it cannot be checked.
    case skipped(String)
}
