internal import Glibc
public import SondeDomain
public import SondeEngine
public import SondeFormats
internal import Synchronization

/// `snapshot`: what the network looks like now, or as soon as there is something new.
public final class SnapshotHandler: SlowControlHandler {
    // Shorter than what a connection may take for a request.
    private static let patience = Nanoseconds.seconds(20)
    private static let pauseMilliseconds: Int32 = 50

    /// `snapshot`.
    public let request = "snapshot"
    private let current: CurrentSnapshot
    private let book: SnapshotBook
    private let clock: any Clock
    private let isStopping = Atomic<Bool>(false)

    /// A handler for what `book` knows.
    public init(_ current: CurrentSnapshot, book: SnapshotBook, clock: any Clock) {
        self.current = current
        self.book = book
        self.clock = clock
    }

    /// Nobody waits any more for what is new.
    public func stop() {
        isStopping.store(true, ordering: .relaxed)
    }

    /// The snapshot; with `after`, the number of one that was seen, the next one, or the same again after 20 s.
    public func answer(_ request: JSONValue) throws(SondeError) -> ControlAnswer {
        if let seen = try ControlArguments(request).number("after") {
            let end = clock.monotonicTime.advanced(by: Self.patience)
            // Only while somebody watches.
            while book.version == seen, clock.monotonicTime < end, !isStopping.load(ordering: .relaxed) {
                poll(nil, 0, Self.pauseMilliseconds)
            }
        }
        let (snapshot, version) = current()
        return ControlAnswer("snapshot") { json in
            json.object { json in
                json.member("number", version)
                json.member("document", snapshot)
            }
        }
    }
}
