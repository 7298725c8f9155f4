internal import SondeNetlink

/// The places of the bytes and packets of some interfaces among the numbers of `/proc/net/dev`.
struct FollowedDevices {
    private static let fields: [(String, Direction, LinkCounters.Field)] = [
        ("bytes", .receive, .receivedBytes), ("bytes", .transmit, .sentBytes), ("packets", .receive, .receivedPackets),
        ("packets", .transmit, .sentPackets),
    ]

    private let names: Set<String>
    private var places: [String: [(field: LinkCounters.Field, place: Int)]] = [:]

    init(_ names: [String]) {
        self.names = Set(names)
    }

    /// Finds the interfaces among the sections of a table.
    mutating func learn(_ sections: [TableSection]) {
        places = [:]
        guard !names.isEmpty else { return }
        var first = 0
        for section in sections {
            if names.contains(section.key) { places[section.key] = Self.places(section, first: first) }
            first &+= section.count
        }
    }

    /// What the interfaces have counted; one with a missing number is left out.
    func counters(_ numbers: [KernelNumber]) -> [String: LinkCounters] {
        places.compactMapValues { places in
            guard places.count == Self.fields.count else { return nil }
            var counters = LinkCounters()
            for (field, place) in places {
                guard numbers.indices.contains(place), numbers[place].form == .unsigned else { return nil }
                counters[field] = numbers[place].magnitude
            }
            return counters
        }
    }

    private static func places(
        _ section: TableSection,
        first: Int
    ) -> [(field: LinkCounters.Field, place: Int)] {
        let columns = section.columns()
        return fields.compactMap { column, direction, field in
            let metric = NetworkMetrics.byColumn[column]
            let index = columns.firstIndex {
                $0?.metric == metric && $0?.attributes.contains(direction.attribute) == true
            }
            return index.map { (field, first &+ $0) }
        }
    }
}
