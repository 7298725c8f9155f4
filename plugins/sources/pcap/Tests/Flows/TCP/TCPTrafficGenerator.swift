import SondeTestKit

/// Connections with losses, repetitions, reordering, keep-alives, closed windows and ports that are used again.
///
/// An acknowledgement never goes beyond what is in the capture: of such ones tshark makes a duplicate count that has gone
/// round.
struct TCPTrafficGenerator {
    private struct Side {
        var next: UInt32
        var seen: UInt32
        var acknowledged: UInt32
        var window: UInt16 = 500
        var sent: [(sequence: UInt32, length: UInt32)] = []

        init(_ sequence: UInt32) {
            next = sequence
            seen = sequence
            acknowledged = sequence
        }
    }

    private(set) var frames: [CapturedFrame] = []
    private var random: SeededGenerator
    private var time: UInt64 = 0
    private var sides: [Side] = []
    private var ports: (UInt16, UInt16) = (0, 0)
    private var host: UInt8 = 1

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// The frames of some simultaneous connections, in the order of time.
    mutating func connections(_ count: Int) -> [CapturedFrame] {
        frames = []
        for number in 0..<count {
            time = 1_700_000_000_000_000 + .random(in: 0..<1_000_000, using: &random)
            host = UInt8(truncatingIfNeeded: number)
            ports = (UInt16(1024 + number), [80, 443, 5432].randomElement(using: &random) ?? 80)
            open()
            for _ in 0..<Int.random(in: 3...40, using: &random) { step() }
        }
        return frames.enumerated().sorted { ($0.1.time, $0.0) < ($1.1.time, $1.0) }.map(\.element)
    }

    private mutating func pause() {
        time += [5, 80, 500, 2500, 3500, 15_000, 25_000, 250_000].randomElement(using: &random) ?? 5
    }

    private mutating func below(_ limit: UInt32) -> UInt32 { .random(in: 1..<limit, using: &random) }

    /// A number anywhere, often shortly before it goes round; never so that 0 comes next, which tshark takes for none.
    private mutating func firstSequence() -> UInt32 {
        Bool.random(using: &random) ? .max - below(3000) * 2 : .random(in: 1..<0xf000_0000, using: &random) | 1
    }

    private mutating func send(
        _ side: Int, _ flags: UInt8, _ sequence: UInt32, _ length: UInt32 = 0, acknowledging: UInt32? = nil
    ) {
        var layer = TCPLayer(side == 0 ? ports.0 : ports.1, side == 0 ? ports.1 : ports.0, flags: flags)
        layer.sequence = sequence
        layer.acknowledgement = flags & 0x10 == 0 ? 0 : acknowledging ?? sides[1 - side].acknowledged
        layer.window = flags & 2 != 0 ? 64_000 : sides[side].window
        let ends: [[UInt8]] = [[10, 0, 0, host], [10, 9, 0, 1]]
        let packet = PacketBuilder(
            [EthernetLayer(), IPv4Layer(ends[side], ends[1 - side]), layer],
            payload: [UInt8](repeating: 0x7f, count: Int(length))
        )
        frames.append(CapturedFrame(packet.bytes, time: time * 1000))
        let end = sequence &+ length &+ (flags & 3 == 0 ? 0 : 1)
        if Int32(bitPattern: end &- sides[side].seen) > 0 { sides[side].seen = end }
    }

    private mutating func open() {
        sides = [Side(firstSequence()), Side(firstSequence())]
        guard Int.random(in: 0..<8, using: &random) > 0 else { return }
        for _ in 0..<([1, 1, 1, 2, 3].randomElement(using: &random) ?? 1) {
            send(0, 2, sides[0].next)
            pause()
        }
        send(1, 0x12, sides[1].next, acknowledging: sides[0].next &+ 1)
        pause()
        send(0, 0x10, sides[0].next &+ 1, acknowledging: sides[1].next &+ 1)
        sides = [Side(sides[0].next &+ 1), Side(sides[1].next &+ 1)]
    }

    private mutating func data(_ side: Int, isLost: Bool = false) {
        let length = below(1400)
        if !isLost { send(side, 0x18, sides[side].next, length) }
        sides[side].sent.append((sides[side].next, length))
        sides[side].next &+= length
    }

    private mutating func step() {
        pause()
        let side = Int.random(in: 0...1, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<35: data(side)
        case 35..<42: data(side, isLost: true)
        case 42..<56: repeatData(side)
        case 56..<62: send(side, 0x10, sides[side].next &- below(700), below(900))
        case 62..<78: acknowledge(side)
        case 78..<83: keepAlive(side)
        case 83..<88:
            sides[side].window = sides[side].window == 0 ? 500 : 0
            send(side, 0x10, sides[side].next)
        case 88..<91: send(side, 0x10, sides[side].next, 1)
        case 91..<95: swap(side)
        case 95..<97: open()
        case 97..<99:
            send(side, 0x11, sides[side].next)
            sides[side].next &+= 1
        default: send(side, Bool.random(using: &random) ? 4 : 0x14, sides[side].next)
        }
    }

    private mutating func repeatData(_ side: Int) {
        guard let again = sides[side].sent.suffix(4).randomElement(using: &random) else { return }
        send(side, 0x10, again.sequence, again.length)
    }

    private mutating func acknowledge(_ side: Int) {
        if Int.random(in: 0..<10, using: &random) < 7 { sides[1 - side].acknowledged = sides[1 - side].seen }
        for _ in 0..<([1, 1, 1, 2, 3, 4].randomElement(using: &random) ?? 1) {
            send(side, 0x10, sides[side].next)
            time += [5, 900].randomElement(using: &random) ?? 5
        }
    }

    private mutating func keepAlive(_ side: Int) {
        send(side, 0x10, sides[side].next &- 1, .random(in: 0...1, using: &random))
        time += 100
        if Bool.random(using: &random) { send(1 - side, 0x10, sides[1 - side].next) }
    }

    private mutating func swap(_ side: Int) {
        let (first, second) = (below(1400), below(1400))
        let start = sides[side].next
        send(side, 0x10, start &+ first, second)
        time += [10, 2000, 2990, 4000].randomElement(using: &random) ?? 10
        send(side, 0x10, start, first)
        sides[side].sent += [(start, first), (start &+ first, second)]
        sides[side].next = start &+ first &+ second
    }
}
