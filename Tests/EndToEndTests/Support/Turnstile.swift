/// Lets few tests in at a time, so that the programs of one do not starve those of another.
actor Turnstile {
    /// How much room a test takes.
    enum Room {
        case one
        /// As much, for half a minute or more: ahead of those that wait, so that nobody waits for it alone in the end.
        case oneForLong
        /// Nothing else runs meanwhile.
        case all

        fileprivate var places: Int { self == .all ? Turnstile.places : 1 }
    }

    static let shared = Turnstile()
    private static let places = 10

    private var free = Turnstile.places
    // Else in the order in which they came: one that takes all the room is not passed by others for ever.
    private var waiting: [(room: Room, continuation: CheckedContinuation<Void, Never>)] = []

    func enter(_ room: Room) async {
        guard free < room.places || !waiting.isEmpty else {
            free -= room.places
            return
        }
        await withCheckedContinuation { continuation in
            let place = room == .oneForLong ? waiting.firstIndex { $0.room != .oneForLong } : nil
            waiting.insert((room, continuation), at: place ?? waiting.endIndex)
        }
    }

    func leave(_ room: Room) {
        free += room.places
        while let next = waiting.first, next.room.places <= free {
            free -= next.room.places
            waiting.removeFirst().continuation.resume()
        }
    }
}
