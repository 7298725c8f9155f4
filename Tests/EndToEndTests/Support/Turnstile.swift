/// Lets few tests in at a time, so that the programs of one do not starve those of another.
actor Turnstile {
    /// How much room a test takes, and the order in which those that wait are let in.
    enum Room: Int {
        /// One place for ten seconds or more: first, so that nobody waits for it alone in the end.
        case oneForLong
        case one
        /// Nothing else runs meanwhile: last, so that the places are emptied once.
        case all

        fileprivate var places: Int { self == .all ? Turnstile.places : 1 }
    }

    static let shared = Turnstile()
    private static let places = 10

    private var free = Turnstile.places
    // In the order of their rooms, then in that in which they came.
    private var waiting: [(room: Room, continuation: CheckedContinuation<Void, Never>)] = []

    func enter(_ room: Room) async {
        await withCheckedContinuation { continuation in
            let place = waiting.firstIndex { $0.room.rawValue > room.rawValue } ?? waiting.endIndex
            waiting.insert((room, continuation), at: place)
            letIn()
        }
    }

    func leave(_ room: Room) {
        free += room.places
        letIn()
    }

    private func letIn() {
        while let next = waiting.first, next.room.places <= free {
            free -= next.room.places
            waiting.removeFirst().continuation.resume()
        }
    }
}
