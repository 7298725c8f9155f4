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
        /// The place in a file; nil: no file gives it.
        public let place: Place?
        /// Of a map: its values by key, each with its own place.
        public let members: [Setting]

        /// A value.
        public init(
            _ path: String, _ value: String, _ origin: Origin, at place: Place? = nil, members: [Setting] = []
        ) {
            self.path = path
            self.value = value
            self.origin = origin
            self.place = place
            self.members = members
        }
    }

    /// Where a file gives a value.
    public struct Place: Hashable, Sendable {
        /// `file:line`.
        public let line: String
        /// The references in it: `${env:NAME}`.
        public let references: [String]
        /// `file:line` of the values that it replaced.
        public let replaced: [String]

        /// A place.
        public init(_ line: String, references: [String] = [], replaced: [String] = []) {
            self.line = line
            self.references = references
            self.replaced = replaced
        }
    }

    /// The keys of `agent:`.
    public let agent: [Setting]
    /// The keys of each source.
    public let sources: [[Setting]]
    /// The keys of each sink.
    public let sinks: [[Setting]]
    /// The name of the host that it is for.
    public let host: String
    /// The files that it is made of.
    public let files: [String]
    /// What of them is not in force on this host: `file:line`, the part, and why.
    public let leftOut: [String]
}
