/// The newest snapshot: what a live view shows.
///
/// Bounded; hostile documents become a note.
public struct SnapshotBoard: Sendable {
    private static let mostNotes = 3

    /// What the newest snapshot tells.
    public private(set) var page = SnapshotPage()
    /// What could not be shown since ``clearNotes()``, once each.
    public private(set) var notes: [String] = []

    /// An empty board.
    public init() {}

    /// Takes a document in the place of the one before.
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

    /// Forgets the notes.
    public mutating func clearNotes() {
        notes.removeAll()
    }

    private mutating func note(_ text: String) {
        let text = DisplayText.clip(text, to: 100)
        guard notes.count < Self.mostNotes, !notes.contains(text) else { return }
        notes.append(text)
    }
}
