import SondeWire

@testable import PcapPlugin

/// One TCP stream and what a reassembly makes of it.
struct StreamUnderTest: ~Copyable {
    private var reassembly = TCPReassembly()
    /// The sequence number of the first byte.
    var start: UInt32
    /// How many bytes were sent.
    var position = 0
    /// The time of the next segment.
    var time: Int64 = 0
    /// The messages that came out.
    private(set) var messages: [[UInt8]] = []
    private(set) var wireLengths: [Int] = []
    private(set) var waited: [Bool] = []

    init(start: UInt32 = 1000) {
        self.start = start
    }

    var counts: TCPReassembly.Counts { reassembly.counts }
    var held: Int { reassembly.byteCount }
    var followed: Int { reassembly.count }

    /// Sends a SYN.
    mutating func open() {
        position = 0
        push([], offset: 0, captured: 0, opens: true, ends: false)
    }

    /// Sends bytes behind those before, or at `offset` of the stream; the capture keeps `captured` of them.
    mutating func send(_ bytes: [UInt8], at offset: Int? = nil, captured: Int? = nil, ends: Bool = false) {
        push(bytes, offset: offset ?? position, captured: captured ?? bytes.count, opens: false, ends: ends)
        position = max(position, (offset ?? position) + bytes.count)
    }

    mutating func expire() {
        reassembly.expire(now: time)
    }

    /// Nothing more comes, of no stream.
    mutating func end() {
        while reassembly.endQuietest() != nil {
            take()
            reassembly.forgetQuietest()
        }
    }

    private mutating func push(_ bytes: [UInt8], offset: Int, captured: Int, opens: Bool, ends: Bool) {
        let kept = Array(bytes.prefix(captured))
        kept.withUnsafeBytes { payload in
            let segment = StreamSegment(
                sequence: start &+ UInt32(truncatingIfNeeded: offset),
                opensStream: opens,
                endsStream: ends,
                payload: WireBytes(payload),
                wireLength: bytes.count
            )
            reassembly.push(segment, stream: 0x77 << 32, .test, now: time)
            take()
        }
    }

    private mutating func take() {
        while let message = reassembly.next() {
            messages.append([UInt8](message.bytes.buffer))
            wireLengths.append(message.wireLength)
            waited.append(message.hasWaited)
        }
    }
}

extension StreamOwner {
    /// From one documentation address to another.
    static let test = StreamOwner(
        flow: FlowTuple(
            source: IPAddress(ipv4: 0xc000_0201), destination: IPAddress(ipv4: 0xc000_0202), sourcePort: 1024,
            destinationPort: 53,
            transport: .tcp),
        service: .unicast)
}
