import SondeDNS
import SondePluginKit
import SondeWire

/// Follows DNS on the wire: one call per datagram or segment, and no allocation for a message that comes in one piece.
///
/// An unknown time is `CapturedPacket.unknownTime`. Use it from one thread.
struct DNSMonitor: ~Copyable {
    var totals: DNSTotals
    var transactions: TransactionTable
    var reassembly: TCPReassembly
    private var hosts: HostAddresses
    private let privacy: NamePrivacy
    private let countsNames: Bool
    private let cutsNames: Bool
    private let seed: UInt64
    private var summary = DNSSummary()
    /// The latest time that a packet had.
    private var latest: Int64 = 0
    /// Room for one name.
    private let scratch: UnsafeMutableRawPointer

    init(_ settings: DNSSettings) {
        totals = DNSTotals(rankingCapacity: settings.rankingCapacity, report: settings.report, ports: settings.ports)
        transactions = TransactionTable(limits: settings.transactions)
        reassembly = TCPReassembly(limits: settings.reassembly)
        hosts = HostAddresses(settings.hostAddresses)
        privacy = settings.privacy
        countsNames = settings.rankingCapacity > 0 && settings.privacy != .none
        cutsNames = settings.privacy == .domain
        seed = settings.seed
        scratch = .allocate(byteCount: DNSName.mostOctets &+ 1, alignment: 8)
    }

    deinit {
        scratch.deallocate()
    }

    /// Takes the addresses that the host has now.
    mutating func setHostAddresses(_ addresses: HostAddresses) {
        hosts = addresses
    }

    /// Takes the payload of one datagram, of which `wireLength` bytes were on the wire.
    @inline(__always)
    mutating func observe(
        datagram payload: WireBytes, wireLength: Int, _ flow: FlowTuple, service: DNSService, at time: Int64
    ) {
        observe(message: payload, wireLength: wireLength, flow, service, time)
    }

    /// Takes one TCP segment.
    @inline(never)
    mutating func observe(segment: StreamSegment, _ flow: FlowTuple, service: DNSService, at time: Int64) {
        let owner = StreamOwner(flow: flow, service: service)
        reassembly.push(segment, stream: flow.hash(seed: seed), owner, now: now(time))
        observeMessages(of: owner, time)
    }

    /// Ends transactions and streams whose time is over; for when no packet comes.
    mutating func expire(at time: Int64) {
        transactions.expire(now: now(time))
        reassembly.expire(now: latest)
    }

    /// Ends every stream and every transaction that still waits: nothing will come any more.
    mutating func finish() {
        while let owner = reassembly.endQuietest() {
            observeMessages(of: owner, CapturedPacket.unknownTime)
            reassembly.forgetQuietest()
        }
        transactions.endAll()
    }
}

extension DNSMonitor {
    @inline(never)
    private mutating func observeMessages(of owner: StreamOwner, _ time: Int64) {
        while let message = reassembly.next() {
            let seen = message.hasWaited ? CapturedPacket.unknownTime : time
            observe(message: message.bytes, wireLength: message.wireLength, owner.flow, owner.service, seen)
        }
    }

    @inline(__always)
    private mutating func observe(
        message: WireBytes,
        wireLength: Int,
        _ flow: FlowTuple,
        _ service: DNSService,
        _ time: Int64
    ) {
        summary.decode(message, wireLength: wireLength, seed: seed)
        guard service == .unicast else { return totals.count(summary, of: service) }
        guard summary.malformation == nil else {
            totals.malformed &+= 1
            return
        }
        guard summary.extent != .nothing else {
            totals.unreadable &+= 1
            return
        }
        if summary.isResponse {
            observeResponse(message, wireLength, flow, time)
        } else {
            observeQuery(message, wireLength, flow, time)
        }
    }

    @inline(__always)
    private mutating func observeQuery(_ message: WireBytes, _ length: Int, _ flow: FlowTuple, _ time: Int64) {
        let lane = lane(client: flow.source, server: flow.destination, flow)
        totals.count(query: summary, lane, length: length)
        totals.countTypes(of: summary, message, lane)
        let outcome = transactions.query(
            key: flow.hash(seed: seed, id: summary.id),
            question: summary.questionHash,
            lane: lane,
            now: now(time)
        )
        if outcome == .repeated { totals.lanes.add(to: .repeatedQueries, lane) }
        // A report of a file contains no names and clients.
        guard totals.report == .metrics else { return }
        if lane.role == .server { totals.servers.add(flow.destination, port: flow.destinationPort) }
        countClient(flow.source)
        guard summary.hasQuestion, summary.flags.opcode == .query else { return }
        countName(message)
    }

    @inline(__always)
    private mutating func observeResponse(_ message: WireBytes, _ length: Int, _ flow: FlowTuple, _ time: Int64) {
        let lane = lane(client: flow.destination, server: flow.source, flow)
        totals.count(response: summary, lane, length: length)
        let outcome = transactions.response(
            key: flow.reversed.hash(seed: seed, id: summary.id),
            question: summary.questionHash,
            now: now(time)
        )
        let isTimed = time != CapturedPacket.unknownTime
        switch outcome {
        case .answered(let nanoseconds):
            totals.lanes.add(to: .answered, lane)
            if let nanoseconds, isTimed { totals.latencies.record(nanoseconds: nanoseconds, lane: lane.index) }
        case .repeated: totals.lanes.add(to: .repeatedResponses, lane)
        case .late(let nanoseconds):
            totals.lanes.add(to: .lateResponses, lane)
            if let nanoseconds, isTimed { totals.latencies.times?.record(nanoseconds: nanoseconds) }
        case .unsolicited: totals.lanes.add(to: .unsolicitedResponses, lane)
        }
        if summary.responseCode == .nameError { countMissingName(message) }
    }

    @inline(__always)
    private func lane(client: IPAddress, server: IPAddress, _ flow: FlowTuple) -> DNSLane {
        DNSLane(
            role: hosts.role(client: client, server: server),
            transport: flow.transport,
            isIPv6: !flow.source.isIPv4
        )
    }

    /// The packet's time, or the latest one when it has none.
    @inline(__always)
    private mutating func now(_ time: Int64) -> Int64 {
        if time != CapturedPacket.unknownTime { latest = time }
        return latest
    }
}

extension DNSMonitor {
    @inline(__always)
    private mutating func countClient(_ address: IPAddress) {
        totals.top.distinctClients.add(hash: KeyHash.of(address.high, address.low, seed: seed))
        guard countsNames, let shown = privacy.client(address) else { return }
        totals.top.add(client: shown, hash: KeyHash.of(shown.high, shown.low, seed: seed))
    }

    @inline(__always)
    private mutating func countName(_ message: WireBytes) {
        totals.top.distinctNames.add(hash: summary.nameHash)
        guard countsNames else { return }
        let name = foldedName(message)
        if let start = privacy.start(in: name) {
            totals.top.names.add(rest(of: name, from: start), hash: hash(name, start))
        }
    }

    @inline(never)
    private mutating func countMissingName(_ message: WireBytes) {
        guard summary.hasQuestion, countsNames else { return }
        let name = foldedName(message)
        guard let start = privacy.start(in: name) else { return }
        totals.top.failingNames.add(rest(of: name, from: start), hash: hash(name, start))
    }

    private func foldedName(_ message: WireBytes) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: scratch, count: summary.copyName(of: message, to: scratch))
    }

    private func rest(of name: UnsafeRawBufferPointer, from start: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: name.dropFirst(start))
    }

    /// The hash of whole names is known already; where names are cut, all are hashed after the cut.
    private func hash(_ name: UnsafeRawBufferPointer, _ start: Int) -> UInt64 {
        cutsNames ? KeyHash.of(rest(of: name, from: start), seed: seed) : summary.nameHash
    }
}
