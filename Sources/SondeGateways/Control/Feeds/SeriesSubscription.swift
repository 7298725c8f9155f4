internal import SondeDomain
internal import SondeEngine
internal import SondeFormats
internal import Synchronization

/// One watcher of series: pages of last points first, then updates.
///
/// An update that arrives while a page is read is sent after it, so that no page shows a series that ended. A watcher
/// that reads too slowly starts again, with a record of that. Used on the loop's thread.
final class SeriesSubscription: ControlSubscription {
    /// A page that is read on another thread.
    private final class Reading: Sendable {
        let next = Mutex<SeriesID?>(nil)
    }

    private enum Phase: Equatable {
        /// Pages after this number were not begun; nil: none was.
        case paging(after: SeriesID?)
        /// All pages were sent.
        case following
    }

    /// How many bytes wait at most besides the line that is being sent.
    static let bound = 2 << 20

    let query: SeriesQuery
    private let list: ListSeries
    private let forget: (SeriesSubscription) -> Void
    private var phase = Phase.paging(after: nil)
    private var reading: Reading?
    private var lines: [[UInt8]] = []
    private var bytes = 0

    init(_ query: SeriesQuery, _ list: ListSeries, forget: @escaping (SeriesSubscription) -> Void) {
        self.query = query
        self.list = list
        self.forget = forget
    }

    func next() -> ControlPush {
        // It was sent: there are no requests while work is under way.
        if let reading {
            self.reading = nil
            phase = reading.next.withLock { $0 }.map { .paging(after: $0) } ?? .following
        }
        guard lines.isEmpty else {
            defer { (lines, bytes) = ([], 0) }
            return .lines(Array(lines.joined()))
        }
        guard case .paging(let after) = phase else { return .nothing }
        return .work(readPage(after))
    }

    func end() {
        forget(self)
    }

    /// Queues an update; false: the watcher lags too far behind, and starts again.
    func offer(_ line: [UInt8]) -> Bool {
        // All that is new is in the pages that are read later.
        guard phase != .paging(after: nil) || reading != nil else { return true }
        lines.append(line)
        bytes += line.count
        guard bytes > Self.bound else { return true }
        restart(.lagged)
        return false
    }

    /// Drops what waits and starts again.
    func restart(_ reason: SeriesUpdates.Restart) {
        let record = ControlDispatcher.text(
            ControlAnswer("restart") { json in
                json.object { $0.member("reason", reason.rawValue) }
            })
        (lines, bytes) = ([record], record.count)
        (phase, reading) = (.paging(after: nil), nil)
    }

    private func readPage(_ after: SeriesID?) -> @Sendable () -> [UInt8] {
        let reading = Reading()
        self.reading = reading
        return { [list, query] in
            let page = SeriesPage(list(query, after: after, limit: SeriesPage.limit))
            reading.next.withLock { $0 = page.next }
            return ControlDispatcher.text(page.answer)
        }
    }
}
