/// A snapshot as a table shows it.
public struct SnapshotPage: Hashable, Sendable {
    /// Why a document has none.
    public enum Refusal: Error, Hashable, Sendable {
        /// It is not JSON.
        case malformed(String)
        /// Its schema is not one that tables know.
        case unknown(String)
    }

    /// Something that is broken.
    public struct Failure: Hashable, Sendable {
        /// The source or sink, or `agent`.
        public let instance: String
        /// The error's code.
        public let code: String
        /// Since when, as the document has it.
        public let since: String?
        /// What is wrong, in a sentence.
        public let message: String
    }

    /// The agent's host; nil when switched off.
    public internal(set) var host: String?
    /// When it was made, as the document has it; nil: not known.
    public internal(set) var time: String?
    /// One for each domain that something is known of.
    public internal(set) var views: [SnapshotView] = []
    /// What is broken, in the order of the document.
    public internal(set) var failures: [Failure] = []
}
