internal import SondeWire

/// Where every packet goes, whether it was captured or read from a file.
///
/// Its state is behind plain pointers: nothing is allocated and no exclusive access is checked for a packet. Use it
/// from one thread.
final class PacketPipeline {
    /// Counts of one interface.
    struct Counts: Hashable {
        /// Packets that were read.
        var packets: UInt64 = 0
        /// Their bytes on the wire.
        var bytes: UInt64 = 0
        /// Those of them that were captured.
        var capturedBytes: UInt64 = 0
    }

    /// How many interfaces can be distinguished; packets of further ones share the last place.
    static let interfaceLimit = 256

    /// Where packets are recorded, or come from; nil, as usual: neither.
    let tape: PacketTape?
    /// Flows and DNS, or nil when neither is configured.
    let analysis: UnsafeMutablePointer<TrafficAnalysis>?
    private let counts: UnsafeMutableBufferPointer<Counts>
    private let received: UnsafeMutableBufferPointer<MarkedCounts>

    /// A pipeline that follows what `settings` name.
    init(_ settings: AnalysisSettings = AnalysisSettings(), tape: PacketTape? = nil) {
        self.tape = tape
        counts = .allocate(capacity: Self.interfaceLimit)
        counts.initialize(repeating: Counts())
        received = .allocate(capacity: Self.interfaceLimit)
        received.initialize(repeating: MarkedCounts())
        guard settings.flows != nil || settings.dns != nil else {
            analysis = nil
            return
        }
        let room = UnsafeMutablePointer<TrafficAnalysis>.allocate(capacity: 1)
        room.initialize(to: TrafficAnalysis(flows: settings.flows, dns: settings.dns))
        analysis = room
    }

    deinit {
        counts.deallocate()
        received.deallocate()
        analysis?.deinitialize(count: 1)
        analysis?.deallocate()
    }

    /// Takes one packet.
    func process(_ packet: CapturedPacket) {
        let slot = min(Int(packet.interface), Self.interfaceLimit - 1)
        counts[slot].packets &+= 1
        counts[slot].bytes &+= UInt64(packet.wireLength)
        counts[slot].capturedBytes &+= UInt64(packet.bytes.count)
        analysis?.pointee.process(packet)
    }

    /// Notes that the interface of a packet has received it, and did not send it.
    @inline(__always)
    func countReceived(_ packet: CapturedPacket) {
        let slot = min(Int(packet.interface), Self.interfaceLimit - 1)
        received[slot].add(length: packet.wireLength, at: packet.time)
    }

    /// Hands what an interface received to `body`.
    func withReceived(_ interface: UInt16, _ body: (inout MarkedCounts) -> Void) {
        body(&received[min(Int(interface), Self.interfaceLimit - 1)])
    }

    /// Ends what is over at `time`, for when no packet comes, and brings the rankings up to date.
    ///
    /// Calls `pause` in between, where packets may be processed.
    func settle(at time: Int64, pausing pause: () -> Void) {
        guard let analysis else { return }
        // No access to the analysis lasts while packets come in.
        analysis.pointee.expireAll(at: time)
        var place: Int? = 0
        while let next = place {
            place = analysis.pointee.rank(from: next)
            if place != nil { pause() }
        }
    }

    /// Begins another interval: what is reported per interval has been reported.
    func startInterval() {
        analysis?.pointee.startInterval()
    }

    /// The counts of one interface so far.
    subscript(interface: UInt16) -> Counts {
        counts[min(Int(interface), Self.interfaceLimit - 1)]
    }
}
