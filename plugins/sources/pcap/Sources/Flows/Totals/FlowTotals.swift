internal import SondePluginKit

/// The totals of all flows.
///
/// Cumulative: nothing is reset by being read.
struct FlowTotals: ~Copyable {
    /// Bounds for how long connections take to open, 100 µs to 10 s, in nanoseconds: a SYN is sent again after 1, 3 and 7 s.
    static let handshakeBounds: [UInt64] = [
        100_000, 500_000, 1_000_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000,
        1_000_000_000, 3_000_000_000, 10_000_000_000,
    ]
    /// Bounds for how long flows last, 1 ms to 1 h, in nanoseconds.
    static let durationBounds: [UInt64] = [
        1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 3_000_000_000, 10_000_000_000, 30_000_000_000,
        60_000_000_000, 300_000_000_000, 1_800_000_000_000, 3_600_000_000_000,
    ]

    /// Packets that belong to no flow: not IP, or without a sound IP header.
    var withoutFlow = PacketCount()
    /// What was seen of TCP.
    var tcp = TCPCounts()
    /// Flows that began.
    private(set) var started: UInt64 = 0
    /// How long handshakes took: SYN, SYN/ACK, ACK.
    var handshakes = LatencyHistogram(bounds: FlowTotals.handshakeBounds)
    /// How long the server's part of them took: SYN, SYN/ACK.
    var acceptances = LatencyHistogram(bounds: FlowTotals.handshakeBounds)
    /// How long flows lasted that have ended.
    var durations = LatencyHistogram(bounds: FlowTotals.durationBounds)
    /// How large flows were that have ended, both directions together.
    var sizes = SizeHistogram()

    private let cells: UnsafeMutablePointer<PacketCount>
    private let conversations: UnsafeMutablePointer<UInt64>
    private let endings: UnsafeMutablePointer<UInt64>

    init() {
        cells = .allocate(capacity: FlowCell.count)
        cells.initialize(repeating: PacketCount(), count: FlowCell.count)
        conversations = .allocate(capacity: FlowTransport.allCases.count)
        conversations.initialize(repeating: 0, count: FlowTransport.allCases.count)
        endings = .allocate(capacity: FlowEndReason.allCases.count)
        endings.initialize(repeating: 0, count: FlowEndReason.allCases.count)
    }

    deinit {
        cells.deallocate()
        conversations.deallocate()
        endings.deallocate()
    }

    /// Counts a packet of a flow; `cell` is the index of a ``FlowCell``.
    mutating func add(_ length: UInt32, cell: UInt16) {
        cells[Int(cell)].add(length)
    }

    /// Counts a flow that begins.
    mutating func start() {
        started &+= 1
    }

    /// Counts a conversation that is new to the table.
    mutating func meet(_ transport: FlowTransport) {
        conversations[Int(transport.rawValue)] &+= 1
    }

    /// Counts a flow that ends.
    mutating func end(_ flow: FlowEntry, _ reason: FlowEndReason) {
        endings[Int(reason.rawValue)] &+= 1
        durations.record(nanoseconds: UInt64(flow.lastTime) &* 1000)
        sizes.record(flow.bytes)
    }

    /// The totals of one place.
    subscript(cell: FlowCell) -> PacketCount { cells[Int(cell.index)] }

    /// How many flows ended for a reason.
    func ended(_ reason: FlowEndReason) -> UInt64 { endings[Int(reason.rawValue)] }

    /// How many flows ended.
    var ended: UInt64 { FlowEndReason.allCases.reduce(0) { $0 &+ ended($1) } }

    /// How many flows there are.
    var active: UInt64 { started &- ended }

    /// How many unordered 5-tuples of a transport there were, on any VLAN.
    ///
    /// Exact as long as no flow has left the table: one that comes back is counted again.
    func conversations(_ transport: FlowTransport) -> UInt64 { conversations[Int(transport.rawValue)] }
}
