internal import SondeDomain

/// The version of the agent.
enum Version {
    /// Semantic version; the release makes the tag equal to it.
    static let text = "0.1.0"
    /// When it was made, to the month, 2026-11-01: a clock that shows an earlier time is wrong.
    ///
    /// Set with ``text``, so that a build can be reproduced.
    static let date = Timestamp(seconds: 1_793_491_200)
}
