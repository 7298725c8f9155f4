internal import SondeDomain

/// Drops what waits for one sink, in bounded pieces; every point dropped is in the loss ledger as `purged`.
///
/// Used from the sink's thread, between attempts.
struct PurgeWaiting {
    /// The extent of a purge.
    struct Extent: Hashable {
        /// The last number that it may drop: later ones were appended after it began.
        let last: UInt64
        /// Only points older than this; nil: all.
        let before: Timestamp?
    }

    /// The result of one piece.
    enum Piece: Hashable {
        /// A stretch was passed with so many points and documents in it.
        case dropped(Stretch, count: UInt64)
        /// The next piece is smaller: the end is within this one.
        case narrowed
        /// Nothing is left to drop.
        case finished
        /// What is left cannot be passed: the storage fails.
        case blocked
    }

    // What is read at once; a sink's thread works on it for some milliseconds and a few megabytes.
    private static let maxCount = 20_000
    private static let maxBytes: Int64 = 4 << 20

    private let sink: String
    private let spool: any SpoolStore
    private let builder: BatchBuilder
    private let ledger: LossLedger

    init(
        _ settings: DeliverBatches.Settings, agent: String, _ spool: any SpoolStore, _ ledger: LossLedger
    ) {
        sink = settings.id
        self.spool = spool
        self.ledger = ledger
        builder = BatchBuilder(settings, agent: agent)
    }

    /// The extent of a purge that begins now.
    func extent(before: Timestamp?, at now: MonotonicInstant) -> Extent {
        // An empty append changes nothing and returns the next number.
        let (result, _) = spool.append([], documents: [], at: now)
        guard case .taken(let none) = result else { return Extent(last: .max, before: before) }
        return Extent(last: none.last, before: before)
    }

    /// Drops the next piece.
    ///
    /// `offered` is a stretch that the receiver may have seen: it is dropped whole or not at all.
    func dropPiece(of extent: Extent, offered: Stretch?) -> Piece {
        guard let stretch = spool.cut(for: sink, maxCount: Self.maxCount, maxBytes: Self.maxBytes) else {
            return spool.backlog(of: sink).count == 0 ? .finished : .blocked
        }
        guard stretch.first <= extent.last else { return .finished }
        guard stretch.last <= extent.last else {
            let count = Int(clamping: extent.last &- stretch.first &+ 1)
            return narrow(stretch, to: count, offered)
        }
        let contents = spool.read(stretch, for: sink)
        for loss in spool.takeLosses() { ledger.record(loss) }
        let batch = builder.batch(stretch, of: spool.epoch(of: sink), contents)
        let times = batch.entries.map(\.point.time) + batch.documents.map(\.time)
        if let before = extent.before, let newest = times.max(), newest >= before {
            return narrow(stretch, to: stretch.count / 2, offered)
        }
        // First reported, then passed: an agent that ends in between reports too much rather than too little.
        if !times.isEmpty {
            ledger.record(
                Loss(
                    .purged, component: sink, from: times.min(), to: times.max(), count: UInt64(times.count)))
        }
        spool.acknowledge(stretch, for: sink)
        return .dropped(stretch, count: UInt64(times.count))
    }

    private func narrow(_ stretch: Stretch, to count: Int, _ offered: Stretch?) -> Piece {
        guard stretch != offered, count >= 1, count < stretch.count else { return .finished }
        return spool.shorten(for: sink, to: count) == nil ? .blocked : .narrowed
    }
}
