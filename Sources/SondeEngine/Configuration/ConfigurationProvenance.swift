public import SondeDomain

/// Where the values of a configuration come from, beside their own marks.
public struct ConfigurationProvenance: Hashable, Sendable {
    /// A part that is not in force on this host.
    public struct LeftOut: Hashable, Sendable {
        /// The part in words: `source 'pg'`, `the file`.
        public let part: String
        /// Its place.
        public let mark: SourceMark
        /// Why, as the end of a sentence: `'enabled' is false`.
        public let reason: String

        /// A part.
        public init(_ part: String, at mark: SourceMark, _ reason: String) {
            self.part = part
            self.mark = mark
            self.reason = reason
        }
    }

    /// The host's name that `when` was compared with.
    public var host = ""
    /// The files that were read, in the order in which they count.
    public var files: [String] = []
    /// What is not in force, in the order in which it was read.
    public var leftOut: [LeftOut] = []
    /// By the place of a value: those of the last values that it replaced, in the order of the files.
    public var replaced: [SourceMark: [SourceMark]] = [:]
    /// By the place of a value: the references in it, without defaults: `${env:NAME}`, `${file:/path}`.
    public var references: [SourceMark: [String]] = [:]

    /// Nothing is known.
    public init() {}
}
