public import SondeDomain

/// The version of all programs of Sonde.
public enum Version {
    /// Semantic version; the release makes the tag equal to it.
    public static let text = "0.1.0"
    /// The year in which it was made, 2026: a clock that shows an earlier time is wrong.
    ///
    /// Set with ``text``, so that a build can be reproduced. To the year, since a clock that was never set is off by
    /// years, and one that is held for being early delivers nothing.
    public static let date = Timestamp(seconds: 1_767_225_600)
}
