/// The newest snapshot: what a live view shows.
///
/// Bounded; hostile documents become a note.
public struct SnapshotBoard: Sendable {
    private static let mostNotes = 3

    /// The content of the newest snapshot.
    public private(set) var page = SnapshotPage()
    /// What could not be shown since ``clearNotes()``, once each.
    public private(set) var notes: [String] = []

    /// An empty board.
    public init() {}

    /// Replaces the previous document.
    public mutating func take(_ json: [UInt8]) {
        do throws(SnapshotPage.Refusal) {
            page = try SnapshotPage(json: json)
        } catch {
            switch error {
            case .malformed(let reason): note("a snapshot could not be read: \(reason)")
            case .unknown(let what): note("\(what) has no table; the format json shows it")
            }
        }
    }

    /// Removes the notes.
    public mutating func clearNotes() {
        notes.removeAll()
    }

    private mutating func note(_ text: String) {
        let text = DisplayText.clip(text, to: 100)
        guard notes.count < Self.mostNotes, !notes.contains(text) else { return }
        notes.append(text)
    }
}

/// A snapshot as a table shows it.
public struct SnapshotPage: Hashable, Sendable {
    /// Why a document has none.
    public enum Refusal: Error, Hashable, Sendable {
        /// It is not JSON.
        case malformed(String)
        /// Its schema is not supported by tables.
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

    /// What the kernel counts as dropped, with the reason that most of it can have.
    public struct Drop: Hashable, Sendable {
        /// What counts it, like `udp_receive_errors`.
        public let counter: String
        /// Packets in the window.
        public let packets: Double?
        /// The most frequent of the reasons that fit; nil: there is none.
        public let reason: String?
        /// What the reason means.
        public let meaning: String?
        /// What to try.
        public let advice: String?
    }

    /// The agent's host; nil when switched off.
    public internal(set) var host: String?
    /// When it was made, as the document has it; nil: not known.
    public internal(set) var time: String?
    /// One for each domain that something is known of.
    public internal(set) var views: [SnapshotView] = []
    /// What is broken, in the order of the document.
    public internal(set) var failures: [Failure] = []
    /// What is counted as dropped, in the order of the document.
    public internal(set) var drops: [Drop] = []
}
