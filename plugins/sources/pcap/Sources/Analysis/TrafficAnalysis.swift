internal import SondeWire

/// Decodes packets and passes each to the flows and to DNS: shared by live capture and reports of files.
///
/// Bounded in memory and in what one packet costs. Keep it behind a pointer, so that no exclusive access is checked for a
/// packet; use it from one thread.
package struct TrafficAnalysis: ~Copyable {
    /// The counts of the frames.
    private(set) var frames = FrameCounts()
    /// Flows, or nil when they are not configured.
    var flows: FlowTracker?
    /// DNS, or nil when it is not configured.
    var dns: DNSMonitor?
    // Whether there are flows and DNS: asking the optionals costs ten instructions each, and what is called through them
    // is not inlined. An optional has its value at its own address.
    private let seesFlows: Bool
    private let seesDNS: Bool
    private let ports: DNSPorts
    /// What is decoded of the packet at hand; behind a pointer, so that it is never copied.
    private let frame: UnsafeMutablePointer<DecodedFrame>

    /// An analysis of flows, of DNS, or of both.
    package init(flows: FlowSettings?, dns: DNSSettings?) {
        self.flows = flows.map { FlowTracker($0) }
        self.dns = dns.map { DNSMonitor($0) }
        (seesFlows, seesDNS) = (flows != nil, dns != nil)
        ports = DNSPorts(dns?.ports ?? [])
        frame = .allocate(capacity: 1)
        frame.initialize(to: DecodedFrame())
    }

    deinit {
        frame.deallocate()
    }

    /// Takes one packet.
    @inline(__always)
    mutating func process(_ packet: CapturedPacket) {
        process(packet.bytes, packet.wireLength, packet.linkType, packet.time)
    }

    /// Takes one packet field by field, so that its fields stay in registers.
    @inline(never)
    private mutating func process(_ bytes: WireBytes, _ wireLength: UInt32, _ linkType: UInt32, _ time: Int64) {
        let type = LinkType(rawValue: linkType)
        FrameDecoder.decode(bytes, wireLength: wireLength, linkType: type, into: &frame.pointee)
        frames.add(frame.pointee, length: wireLength)
        if seesFlows {
            withUnsafeMutablePointer(to: &flows) { flows in
                let tracker = UnsafeMutableRawPointer(flows).assumingMemoryBound(to: FlowTracker.self)
                tracker.pointee.process(frame, length: wireLength, at: time)
            }
        }
        // Both are 0, which is no port, of a frame without ports.
        if ports.contains(frame.pointee.sourcePort, frame.pointee.destinationPort) { takeDNS(bytes, time) }
    }

    /// Ends what is over at `time`; for when no packet comes.
    mutating func expire(at time: Int64) {
        flows?.sweep(at: time)
        dns?.expire(at: time)
    }

    /// Ends everything that waits for more packets: there are none.
    mutating func finish() {
        dns?.finish()
    }

    @inline(never)
    private mutating func takeDNS(_ bytes: WireBytes, _ time: Int64) {
        guard seesDNS, frame.pointee.hasPorts, frame.pointee.hasTransportHeader,
            let service = ports.service(frame.pointee.sourcePort, frame.pointee.destinationPort)
        else { return }
        if frame.pointee.transport == .udp {
            takeDatagram(bytes, service, time)
        } else if frame.pointee.transport == .tcp {
            takeSegment(bytes, service, time)
        }
    }

    @inline(__always)
    private mutating func takeDatagram(_ bytes: WireBytes, _ service: DNSService, _ time: Int64) {
        let length = Int(frame.pointee.payloadLength)
        let whole = frame.pointee.fragment == .none ? length : max(length, datagramLength(bytes))
        guard whole > 0 else { return }
        let payload = frame.pointee.payload(of: bytes)
        let flow = flow(.udp)
        withUnsafeMutablePointer(to: &dns) { dns in
            let monitor = UnsafeMutableRawPointer(dns).assumingMemoryBound(to: DNSMonitor.self)
            monitor.pointee.observe(datagram: payload, wireLength: whole, flow, service: service, at: time)
        }
    }

    @inline(never)
    private mutating func takeSegment(_ bytes: WireBytes, _ service: DNSService, _ time: Int64) {
        let segment = segment(frame.pointee.payload(of: bytes), Int(frame.pointee.payloadLength))
        let flow = flow(.tcp)
        dns?.observe(segment: segment, flow, service: service, at: time)
    }

    @inline(__always)
    private func flow(_ transport: FlowTuple.Transport) -> FlowTuple {
        FlowTuple(
            source: frame.pointee.source,
            destination: frame.pointee.destination,
            sourcePort: frame.pointee.sourcePort,
            destinationPort: frame.pointee.destinationPort,
            transport: transport
        )
    }

    /// How long the payload of a datagram is of which this is the first fragment.
    @inline(never)
    private func datagramLength(_ bytes: WireBytes) -> Int {
        // The length in the UDP header is 4 bytes before the payload and includes the 8 bytes of that header.
        Int(bytes.uint16(at: Int(frame.pointee.payloadOffset) &- 4) ?? 0) &- 8
    }

    private func segment(_ payload: WireBytes, _ length: Int) -> StreamSegment {
        let opens = frame.pointee.tcpFlags.contains(.syn)
        return StreamSegment(
            sequence: opens ? frame.pointee.tcpSequence &+ 1 : frame.pointee.tcpSequence,
            opensStream: opens,
            endsStream: !frame.pointee.tcpFlags.isDisjoint(with: [.fin, .rst]),
            payload: payload,
            wireLength: length
        )
    }
}
