/// What is reported about a tail: numbers and events.
struct TailNotes {
    var counts = TailCounts()
    private(set) var events: [TailEvent] = []
    /// Events beyond the number that is kept.
    private(set) var droppedEvents: UInt64 = 0

    private static let limit = 256

    mutating func add(_ event: TailEvent) {
        guard events.count < Self.limit else {
            droppedEvents &+= 1
            return
        }
        events.append(event)
    }

    /// Adds it unless it waits already.
    mutating func addOnce(_ event: TailEvent) {
        if !events.contains(event) { add(event) }
    }

    /// Replaces an event that waits and was reported too early by `event`.
    mutating func replace(_ early: TailEvent, by event: TailEvent) {
        if let place = events.lastIndex(of: early) { events[place] = event }
    }

    /// Whether a loss in the file at `path` waits to be reported.
    func hasLoss(in path: String) -> Bool {
        events.contains { if case .lost(path, _) = $0 { true } else { false } }
    }

    mutating func takeEvents() -> [TailEvent] {
        defer { events = [] }
        return events
    }
}
