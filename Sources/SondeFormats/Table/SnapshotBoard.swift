/// The newest snapshot of every domain and source: what a live view shows.
///
/// Bounded; hostile documents become a note.
public struct SnapshotBoard: Sendable {
    private static let mostViews = 32
    private static let mostNotes = 3

    /// The newest views, ordered by domain and source.
    public private(set) var views: [SnapshotView] = []
    /// What could not be shown since ``clearNotes()``, once each.
    public private(set) var notes: [String] = []

    /// An empty board.
    public init() {}

    /// Takes a document; a newer one of the same domain and source replaces the older.
    public mutating func take(_ json: [UInt8]) {
        do throws(SnapshotView.Refusal) {
            for view in try SnapshotView.views(of: json) { place(view) }
        } catch {
            switch error {
            case .malformed(let reason): note("a snapshot could not be read: \(reason)")
            case .unknown(let what): note("\(what) has no table; the format json shows it")
            }
        }
    }

    /// Forgets the notes.
    public mutating func clearNotes() {
        notes.removeAll()
    }

    private mutating func place(_ view: SnapshotView) {
        if let index = views.firstIndex(where: { $0.domain == view.domain && $0.source == view.source }) {
            views[index] = view
            return
        }
        guard views.count < Self.mostViews else { return note("too many sources for one table") }
        views.append(view)
        views.sort { ($0.domain, $0.source) < ($1.domain, $1.source) }
    }

    private mutating func note(_ text: String) {
        let text = DisplayText.clip(text, to: 100)
        guard notes.count < Self.mostNotes, !notes.contains(text) else { return }
        notes.append(text)
    }
}
