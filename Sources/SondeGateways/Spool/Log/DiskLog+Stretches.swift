internal import SondeEngine

extension DiskLog {
    /// The stretch under way, or a new one that is under way from now on.
    mutating func beginStretch(
        for sink: String,
        maxCount: Int,
        maxBytes: Int64
    ) -> (stretch: Stretch, kind: ReaderKind, isNew: Bool)? {
        guard let reader = readers[sink] else { return nil }
        if let stretch = reader.stretch { return (stretch, reader.kind, false) }
        guard let stretch = nextStretch(for: sink, maxCount: maxCount, maxBytes: maxBytes) else { return nil }
        readers[sink]?.cutEnd = stretch.last
        return (stretch, reader.kind, true)
    }

    /// Withdraws a stretch that was not offered.
    mutating func abandonStretch(of sink: String) {
        readers[sink]?.cutEnd = nil
    }

    /// Ends a stretch that was not offered before what is not synced; nil when nothing is left of it.
    mutating func shortenToSafe(_ sink: String) -> LogReader? {
        guard let reader = readers[sink], let end = reader.cutEnd else { return nil }
        let safe = min(end, safeEnd &- 1)
        readers[sink]?.cutEnd = safe >= reader.next ? safe : nil
        return readers[sink]
    }

    /// Makes the stretch under way shorter; nil when there is none.
    mutating func shortenStretch(of sink: String, to count: Int) -> LogReader? {
        guard let reader = readers[sink], let end = reader.cutEnd else { return nil }
        let (wanted, overflow) = reader.next.addingReportingOverflow(UInt64(max(1, count)) - 1)
        readers[sink]?.cutEnd = overflow ? end : min(end, wanted)
        return readers[sink]
    }

    /// Moves a sink past the stretch under way; nil when it is another.
    mutating func passStretch(_ stretch: Stretch, of sink: String) -> LogReader? {
        guard var reader = readers[sink], reader.stretch == stretch else { return nil }
        reader.next = stretch.last &+ 1
        reader.cutEnd = nil
        recount(&reader)
        readers[sink] = reader
        if !tail.isEmpty { forgetTail(below: readers.values.map(\.next).min() ?? nextSequence) }
        return reader
    }

    /// Whether only memory holds a stretch.
    func holdsInMemory(_ stretch: Stretch) -> Bool { tail.first.map { stretch.last >= $0 } ?? false }

    /// Notes a sink's recorded cursor, and drops what every sink has passed.
    mutating func cursorIsSafe(_ sink: String, _ next: UInt64) {
        readers[sink]?.safeNext = next
        _ = removeRead()
    }
}
