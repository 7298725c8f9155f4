public import SondeDomain

/// What `sonde plugins list` shows.
public struct PluginListState: Hashable, Sendable {
    /// One plugin, loaded or refused.
    public struct Row: Hashable, Sendable {
        /// The plugin's name.
        public var name: String
        /// `source` or `sink`; nil when it was refused.
        public var kind: String?
        /// The plugin's version; nil when it was refused.
        public var version: String?
        /// The file; nil when it was refused.
        public var path: String?
        /// What it does, or why it was refused.
        public var summary: String

        /// A plugin that can be used.
        public init(_ descriptor: PluginDescriptor, path: String) {
            name = descriptor.name
            kind = descriptor.kind.rawValue
            version = descriptor.version
            self.path = path
            summary = descriptor.summary
        }

        /// A plugin that was refused.
        public init(name: String, refusal: SondeError) {
            self.name = name
            summary = "\(refusal.code): \(refusal.message)"
        }
    }

    /// The plugins by name.
    public var rows: [Row]

    /// A list.
    public init(rows: [Row]) {
        self.rows = rows
    }
}
