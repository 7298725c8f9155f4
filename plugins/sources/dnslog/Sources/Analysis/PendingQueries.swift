internal import SondePluginKit

/// Queries whose end is not known yet, in the order in which they came; bounded.
struct PendingQueries: ~Copyable {
    /// One query.
    struct Entry {
        /// A hash with a secret seed, which needs no other one to find its place.
        var key: UInt64 = 0
        /// When it came, in milliseconds of the log's clock.
        var time: Int64 = 0
        var links = SlotLinks()
        /// The server that it was forwarded to last; negative when it was not.
        var upstream: Int16 = -1
        /// Whether an alias was found, whose target may or may not exist.
        var hasAlias = false
        /// Whether its answer was withheld, unless an answer comes yet.
        var isWithheld = false
        /// Whether a text may be the answer, which may read like anything.
        var asksForText = false
        var cache = LogEvent.Cache.unknown
        fileprivate var nameLength: UInt8 = 0
        fileprivate var nameForm = LogName.Form.plain
    }

    /// How many queries wait at most; the oldest is dropped.
    static let limit = 32_768
    /// Longer names are not kept: their failures are reported with those of other names.
    static let longestName = 96
    /// The place of no query.
    static var nowhere: UInt32 { SlotLinks.none }
    private static let lastFew = 256

    private let entries: UnsafeMutablePointer<Entry>
    private let names: UnsafeMutableRawPointer
    private var index = SlotIndex(capacity: 256)
    private var waiting = SlotChain()
    /// The place that was left last; each such place has the one that was left before it as the next one.
    private var free = SlotLinks.none
    private var used: UInt32 = 0
    private let capacity: UInt32

    init(limit: Int = Self.limit) {
        capacity = UInt32(clamping: max(limit, 1))
        // The system allocates memory only for pages that are touched.
        entries = .allocate(capacity: Int(capacity))
        names = .allocate(byteCount: Int(capacity) &* Self.longestName, alignment: 8)
    }

    deinit {
        entries.deallocate()
        names.deallocate()
    }

    /// How many queries wait.
    var count: Int { index.count }

    /// The memory that has been used so far.
    var byteCount: Int {
        Int(used) &* (MemoryLayout<Entry>.stride &+ Self.longestName) &+ index.byteCount
    }

    /// The place of the query that has waited longest, or nil.
    @inline(always)
    var oldest: UInt32? { waiting.first == SlotLinks.none ? nil : waiting.first }

    /// Whether another query would be one too many.
    @inline(always)
    var isFull: Bool { free == SlotLinks.none && used == capacity }

    /// The entry at a place.
    @inline(always)
    subscript(place: UInt32) -> Entry {
        get { entries[Int(place)] }
        nonmutating set { entries[Int(place)] = newValue }
    }

    /// When the query at a place came.
    @inline(always)
    func time(_ place: UInt32) -> Int64 { entries[Int(place)].time }

    /// The query at a place was forwarded to a server.
    @inline(always)
    func forward(_ place: UInt32, to server: Int) {
        entries[Int(place)].upstream = Int16(truncatingIfNeeded: server)
    }

    /// The place of the query with this key that has waited longest, or nearly so.
    @inline(always)
    func find(_ key: UInt64) -> UInt32? {
        let entries = entries
        return index.slot(hash: key) { entries[Int($0)].key == key }
    }

    /// The queries for `name` that were forwarded to a server, of the last few that came.
    func forwarded(for name: LogName) -> [UInt32] {
        var places: [UInt32] = []
        var place = waiting.last
        for _ in 0..<Self.lastFew {
            guard place != SlotLinks.none else { break }
            if self[place].upstream >= 0, self.name(place).bytes.isSame(as: name.bytes) { places.append(place) }
            place = self[place].links.previous
        }
        return places
    }

    /// Adds a query; the owner has made room.
    @inline(always)
    mutating func insert(_ key: UInt64, _ name: LogName, at time: Int64, asksForText: Bool = false) {
        guard let place = takePlace() else { return }
        var entry = Entry()
        entry.key = key
        entry.time = time
        entry.asksForText = asksForText
        entry.nameForm = .lost
        if name.bytes.count <= Self.longestName {
            entry.nameLength = UInt8(truncatingIfNeeded: name.bytes.count)
            entry.nameForm = name.form
            name.bytes.copy(to: names + Int(place) &* Self.longestName)
        }
        entries[Int(place)] = entry
        let entries = entries
        waiting.append(place) { Self.links(entries, $0) }
        index.insert(place, hash: key)
    }

    /// Takes a query out; its name stays valid until the next one is added.
    @inline(always)
    mutating func remove(_ place: UInt32) {
        index.remove(place, hash: entries[Int(place)].key)
        let entries = entries
        waiting.remove(place) { Self.links(entries, $0) }
        entries[Int(place)].links.next = free
        free = place
    }

    /// The name of a query.
    func name(_ place: UInt32) -> LogName {
        let entry = entries[Int(place)]
        let bytes = LogBytes(base: names + Int(place) &* Self.longestName, count: Int(entry.nameLength))
        return LogName(bytes, entry.nameForm)
    }

    @inline(always)
    private mutating func takePlace() -> UInt32? {
        let last = free
        if last != SlotLinks.none {
            free = entries[Int(last)].links.next
            return last
        }
        guard used < capacity else { return nil }
        used &+= 1
        return used &- 1
    }

    @inline(always)
    private static func links(_ entries: UnsafeMutablePointer<Entry>, _ place: UInt32) -> UnsafeMutablePointer<
        SlotLinks
    > {
        UnsafeMutableRawPointer(entries + Int(place)).advanced(by: MemoryLayout<Entry>.offset(of: \.links) ?? 16)
            .assumingMemoryBound(to: SlotLinks.self)
    }
}
