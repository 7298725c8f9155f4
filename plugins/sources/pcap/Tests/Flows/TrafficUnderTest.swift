import SondeDomain
import SondePluginKit
import SondeTestKit
import SondeWire

@testable import PcapPlugin

/// Feeds a tracker with packets whose times, ends and segments a test chooses.
final class TrafficUnderTest {
    /// An end of a flow.
    struct End: Hashable {
        var address: IPAddress
        var port: UInt16

        init(_ last: UInt32, _ port: UInt16) {
            address = IPAddress(ipv4: 0x0a00_0000 | last)
            self.port = port
        }
    }

    static let client = End(1, 40_000)
    static let server = End(2, 443)

    var tracker: FlowTracker
    /// Nanoseconds since 1970.
    var time: Int64 = 1_700_000_000_000_000_000

    init(_ settings: FlowSettings = FlowSettings(), host: [IPAddress] = []) {
        var generator = SeededGenerator(seed: 7)
        tracker = FlowTracker(settings, hash: FlowHash(using: &generator))
        tracker.host = HostAddresses(host)
    }

    /// The totals now, in a form that can be expected.
    var totals: TotalsUnderTest { TotalsUnderTest(tracker.totals) }

    /// How many flows the table holds.
    var held: Int { tracker.table.count }

    /// How many bytes the table has used.
    var memory: Int { tracker.table.byteCount }

    /// How many flows there is room for.
    var room: Int { tracker.table.capacity }

    /// The first keys of a ranking; nil when nothing is ranked.
    func top(_ ranking: Ranking, _ limit: Int = 1) -> TopKeys? {
        switch tracker.ranking {
        case .none: nil
        case .some(let keys):
            switch ranking {
            case .peers: keys.peers.top(limit)
            case .services: keys.services.top(limit)
            case .conversations: keys.conversations.top(limit)
            }
        }
    }

    enum Ranking {
        case peers
        case services
        case conversations
    }

    func wait(_ nanoseconds: Nanoseconds) {
        time += nanoseconds.value
    }

    /// A datagram of UDP.
    func datagram(
        _ source: End = client, _ destination: End = server, length: UInt32 = 100, vlan: UInt16? = nil
    ) {
        var frame = DecodedFrame.between(source, destination, .udp)
        frame.vlanID = vlan
        tracker.process(frame, length: length, at: time)
    }

    /// A segment; `length` bytes of data.
    func segment(
        _ flags: TCPFlags,
        from source: End = client,
        to destination: End = server,
        sequence: UInt32 = 0,
        acknowledgement: UInt32 = 0,
        length: UInt32 = 0,
        window: UInt16 = 500
    ) {
        var frame = DecodedFrame.between(source, destination, .tcp)
        frame.tcpFlags = flags
        frame.tcpSequence = sequence
        frame.tcpAcknowledgement = acknowledgement
        frame.tcpWindow = window
        frame.tcpHeaderLength = 20
        frame.payloadLength = length
        tracker.process(frame, length: length + 54, at: time)
    }

    /// SYN, SYN/ACK, ACK; the client's data begins at 1001, the server's at 5001.
    func handshake(_ client: End = client, _ server: End = server, delay: Nanoseconds = .milliseconds(1)) {
        segment(.syn, from: client, to: server, sequence: 1000)
        wait(delay)
        segment([.syn, .ack], from: server, to: client, sequence: 5000, acknowledgement: 1001)
        wait(delay)
        segment(.ack, from: client, to: server, sequence: 1001, acknowledgement: 5001)
    }

    /// The sum of all places of the totals.
    var counted: PacketCount {
        let totals = totals
        return totals.places.reduce(into: PacketCount()) { sum, cell in
            sum.packets += totals[cell].packets
            sum.bytes += totals[cell].bytes
        }
    }
}

/// A copy of totals.
struct TotalsUnderTest {
    let started: UInt64
    let active: UInt64
    let tcp: TCPCounts
    let withoutFlow: PacketCount
    let handshakes: HistogramValue?
    let acceptances: HistogramValue?
    let durations: HistogramValue?
    let sizes: HistogramValue?
    private let endings: [FlowEndReason: UInt64]
    private let met: [FlowTransport: UInt64]
    private let cells: [FlowCell: PacketCount]

    init(_ totals: borrowing FlowTotals) {
        started = totals.started
        active = totals.active
        tcp = totals.tcp
        withoutFlow = totals.withoutFlow
        handshakes = totals.handshakes.snapshot
        acceptances = totals.acceptances.snapshot
        durations = totals.durations.snapshot
        sizes = totals.sizes.snapshot
        var endings: [FlowEndReason: UInt64] = [:]
        for reason in FlowEndReason.allCases { endings[reason] = totals.ended(reason) }
        var met: [FlowTransport: UInt64] = [:]
        for transport in FlowTransport.allCases { met[transport] = totals.conversations(transport) }
        var cells: [FlowCell: PacketCount] = [:]
        for cell in FlowCell.all where totals[cell].packets > 0 { cells[cell] = totals[cell] }
        (self.endings, self.met, self.cells) = (endings, met, cells)
    }

    /// The places that have packets.
    var places: [FlowCell] { Array(cells.keys) }
    /// Flows that ended for any reason.
    var ended: UInt64 { endings.values.reduce(0, +) }
    func ended(_ reason: FlowEndReason) -> UInt64 { endings[reason] ?? 0 }
    func conversations(_ transport: FlowTransport) -> UInt64 { met[transport] ?? 0 }
    subscript(cell: FlowCell) -> PacketCount { cells[cell] ?? PacketCount() }
}

extension DecodedFrame {
    static func between(
        _ source: TrafficUnderTest.End, _ destination: TrafficUnderTest.End, _ transport: IPProtocol
    ) -> DecodedFrame {
        var frame = DecodedFrame()
        frame.network = .ipv4
        frame.hasAddresses = true
        frame.transport = transport
        frame.source = source.address
        frame.destination = destination.address
        frame.hasPorts = true
        frame.hasTransportHeader = true
        frame.sourcePort = source.port
        frame.destinationPort = destination.port
        return frame
    }
}

extension FlowTracker {
    /// Takes a packet whose frame is a value.
    mutating func process(_ frame: DecodedFrame, length: UInt32, at time: Int64) {
        withUnsafePointer(to: frame) { process($0, length: length, at: time) }
    }
}
