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
        /// What a person can try, one sentence each.
        public let advice: [String]
    }

    /// The heaviest of something.
    public struct List: Hashable, Sendable {
        /// One of them.
        public struct Row: Hashable, Sendable {
            /// What it is called, without anything a terminal would act on.
            public let label: String
            /// How much.
            public let value: Double?
        }

        /// What it is called.
        public let title: String
        /// The source that it is from.
        public let source: String
        /// The unit of the values: `By`, `{query}`.
        public let unit: String
        /// How long they were counted for, in seconds; nil: they are of that moment, or it is not known.
        public let interval: Double?
        /// Everything, what has no row included.
        public let total: Double?
        /// How many rows there are.
        public let count: Int
        /// The first of them, heaviest first.
        public let rows: [Row]
    }

    /// A list that no source reports.
    public struct AbsentList: Hashable, Sendable {
        /// What it is called.
        public let title: String
        /// What it needs.
        public let needs: String
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
    /// The heaviest of what sources rank, in the order of the document.
    public internal(set) var lists: [List] = []
    /// The lists that everybody looks for and no source reports.
    public internal(set) var absentLists: [AbsentList] = []
    /// What is counted as dropped, in the order of the document.
    public internal(set) var drops: [Drop] = []
}
