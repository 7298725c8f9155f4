/// How the limits of an instance's processes are kept.
public enum LimitKeeping: String, Hashable, Sendable {
    /// The kernel keeps them, in a control group.
    case controlGroup = "control_group"
    /// Their supervisor looks several times a second what they use.
    case sampling
}
