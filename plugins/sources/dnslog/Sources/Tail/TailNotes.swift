/// What is told of a tail: numbers and events.
struct TailNotes {
    var counts = TailCounts()
    private(set) var events: [TailEvent] = []
    /// Events beyond what is kept until somebody asks.
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

    /// Says `event` in place of one that waits and was said too early.
    mutating func replace(_ early: TailEvent, by event: TailEvent) {
        if let place = events.lastIndex(of: early) { events[place] = event }
    }

    /// Whether a loss in the file at `path` waits to be told.
    func hasLoss(in path: String) -> Bool {
        events.contains { if case .lost(path, _) = $0 { true } else { false } }
    }

    mutating func takeEvents() -> [TailEvent] {
        defer { events = [] }
        return events
    }
}
