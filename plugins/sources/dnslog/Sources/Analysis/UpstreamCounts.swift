internal import Glibc

/// Counts failures by server and cause, of a bounded number of servers.
struct UpstreamCounts: ~Copyable {
    /// How many servers are distinguished; failures of further ones are counted without a name.
    static let limit = 64
    /// The longest name of a server: an address with a zone and a port.
    private static let longest = 64
    /// The place of what has no name.
    static let nameless = 0

    private let counts: UnsafeMutablePointer<UInt64>
    private var names: [[UInt8]] = [[]]
    /// The place that was looked for last, and its name.
    private var lastPlace = 0
    private let lastName: UnsafeMutableRawPointer

    init() {
        counts = .allocate(capacity: (Self.limit &+ 1) &* UpstreamCause.allCases.count)
        counts.initialize(repeating: 0, count: (Self.limit &+ 1) &* UpstreamCause.allCases.count)
        lastName = .allocate(byteCount: Self.longest, alignment: 8)
    }

    deinit {
        counts.deallocate()
        lastName.deallocate()
    }

    /// The place of a server, below ``limit`` and one.
    mutating func place(of server: LogBytes) -> Int {
        guard !server.isEmpty, server.count <= Self.longest else { return Self.nameless }
        if lastPlace != 0, names[lastPlace].count == server.count,
            memcmp(lastName, server.base, server.count) == 0
        {
            return lastPlace
        }
        let place = findPlace(of: server)
        guard place != Self.nameless else { return place }
        lastPlace = place
        lastName.copyMemory(from: server.base, byteCount: server.count)
        return place
    }

    private mutating func findPlace(of server: LogBytes) -> Int {
        for place in names.indices where names[place].count == server.count {
            let isSame = names[place].withUnsafeBytes { name in
                name.baseAddress.map { memcmp($0, server.base, server.count) == 0 } ?? false
            }
            if isSame { return place }
        }
        guard names.count <= Self.limit else { return Self.nameless }
        names.append([UInt8](server.buffer))
        return names.count &- 1
    }

    /// Counts a failure.
    mutating func add(_ place: Int, _ cause: UpstreamCause) {
        guard place >= 0, place < names.count else { return }
        counts[place &* UpstreamCause.allCases.count &+ Int(cause.rawValue)] &+= 1
    }

    /// Every server that failed, with how often and why; the name is nil for those that are not distinguished.
    var all: [(server: String?, cause: UpstreamCause, count: UInt64)] {
        names.enumerated().flatMap { place, name in
            UpstreamCause.allCases.compactMap { cause in
                let count = counts[place &* UpstreamCause.allCases.count &+ Int(cause.rawValue)]
                let server = name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
                return count > 0 ? (server, cause, count) : nil
            }
        }
    }

    /// Failures of all servers.
    var total: UInt64 {
        (0..<(names.count &* UpstreamCause.allCases.count)).reduce(0) { $0 &+ counts[$1] }
    }
}
