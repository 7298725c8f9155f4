/// The version of the agent.
enum Version {
    /// Semantic version; the release makes the tag equal to it.
    static let text = "0.1.0"
}
