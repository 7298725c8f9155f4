internal import SondeDomain
internal import Synchronization

/// Which series of the agent's own receivers have, by sink: kept while a reload replaces the sink's instance, so that series which
/// go meanwhile end.
///
/// May be called from any thread; a sink's entry is changed by its thread only.
public final class SentHealth: Sendable {
    /// What one receiver has.
    struct Entry {
        /// The series that have to end.
        var series: [SeriesFingerprint: Series] = [:]
        /// What they are of.
        var resource: Resource?
    }

    private let entries = Mutex<[String: Entry]>([:])

    /// No receiver has anything.
    public init() {}

    subscript(sink: String) -> Entry {
        get { entries.withLock { $0[sink] ?? Entry() } }
        set { entries.withLock { $0[sink] = newValue } }
    }

    /// The sink is removed permanently.
    func forget(_ sink: String) { entries.withLock { $0[sink] = nil } }
}
