/// The effective configuration as `config show` prints it.
public struct ConfigurationState: Hashable, Sendable {
    /// Where a value comes from.
    public enum Origin: Hashable, Sendable {
        /// A file sets it.
        case file
        /// Nothing sets it.
        case standard
        /// The agent's value is used.
        case inherited
        /// Nothing sets it and it has no value; what happens then, in words.
        case unset(String)
    }

    /// One value.
    public struct Setting: Hashable, Sendable {
        /// Its dotted path.
        public let path: String
        /// YAML on one line; a secret is masked.
        public let value: String
        /// Where it comes from.
        public let origin: Origin

        /// A value.
        public init(_ path: String, _ value: String, _ origin: Origin) {
            self.path = path
            self.value = value
            self.origin = origin
        }
    }

    /// The keys of `agent:`.
    public let agent: [Setting]
    /// The keys of each source.
    public let sources: [[Setting]]
    /// The keys of each sink.
    public let sinks: [[Setting]]
}
