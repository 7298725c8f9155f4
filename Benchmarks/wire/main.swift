// wire-benchmark FILE [ROUNDS]: decodes every frame of a classic capture file (this machine's byte order, microseconds) that
// is mapped into memory, and prints the CPU time per frame and what was counted. `run.sh` sets it beside its yardstick.

import Glibc
import SondeWire

struct Counts {
    var frames = 0
    var bytes = 0
    var ipv4 = 0
    var ipv6 = 0
    var arp = 0
    var tcp = 0
    var udp = 0
    var icmp = 0
    var fragments = 0
    var tagged = 0
    var syn = 0
    var fin = 0
    var rst = 0
    var broken = 0

    @inline(__always)
    mutating func add(_ frame: DecodedFrame, wireLength: UInt32) {
        frames &+= 1
        bytes &+= Int(wireLength)
        ipv4 &+= frame.network == .ipv4 ? 1 : 0
        ipv6 &+= frame.network == .ipv6 ? 1 : 0
        arp &+= frame.network == .arp ? 1 : 0
        fragments &+= frame.fragment == .none ? 0 : 1
        tagged &+= frame.vlanCount == 0 ? 0 : 1
        broken &+= frame.malformation == .none ? 0 : 1
        switch frame.transport {
        case .some(.tcp):
            tcp &+= 1
            syn &+= frame.tcpFlags.contains(.syn) ? 1 : 0
            fin &+= frame.tcpFlags.contains(.fin) ? 1 : 0
            rst &+= frame.tcpFlags.contains(.rst) ? 1 : 0
        case .some(.udp): udp &+= 1
        case .some(.icmp), .some(.icmpv6): icmp &+= 1
        default: break
        }
    }
}

/// Takes what a flow table would look at, so that nothing of the decoding is left out.
@inline(__always)
func digest(_ frame: DecodedFrame) -> UInt64 {
    let ports = UInt64(frame.sourcePort) << 16 | UInt64(frame.destinationPort)
    let addresses = frame.source.high ^ frame.source.low ^ frame.destination.high ^ frame.destination.low
    return addresses ^ ports ^ UInt64(frame.payloadOffset) ^ UInt64(frame.payloadLength) ^ UInt64(frame.tcpSequence)
}

func end(_ message: String) -> Never {
    let line = "wire-benchmark: \(message)\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
    exit(1)
}

func mapped(_ path: String) -> UnsafeRawBufferPointer {
    let descriptor = open(path, O_RDONLY)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else { end("cannot open \(path)") }
    let size = Int(status.st_size)
    guard let memory = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), memory != MAP_FAILED else {
        end("cannot map \(path)")
    }
    return UnsafeRawBufferPointer(start: memory, count: size)
}

/// Decodes all frames and hands each with its length on the wire to `body`.
@inline(__always)
func decodeAll(_ file: UnsafeRawBufferPointer, _ linkType: LinkType, _ body: (borrowing DecodedFrame, UInt32) -> Void) {
    var frame = DecodedFrame()
    var offset = 24
    while offset &+ 16 <= file.count {
        let captured = Int(file.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt32.self))
        let wireLength = file.loadUnaligned(fromByteOffset: offset &+ 12, as: UInt32.self)
        offset &+= 16
        guard captured <= file.count &- offset else { break }
        let bytes = WireBytes(UnsafeRawBufferPointer(rebasing: file[offset..<(offset &+ captured)]))
        FrameDecoder.decode(bytes, wireLength: wireLength, linkType: linkType, into: &frame)
        body(frame, wireLength)
        offset &+= captured
    }
}

func digestOfAll(_ file: UnsafeRawBufferPointer, _ linkType: LinkType) -> UInt64 {
    var sum: UInt64 = 0
    decodeAll(file, linkType) { frame, _ in sum &+= digest(frame) }
    return sum
}

func processTime() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
    return Double(now.tv_sec) * 1e9 + Double(now.tv_nsec)
}

guard CommandLine.arguments.count > 1 else { end("usage: wire-benchmark FILE [ROUNDS]") }
let rounds = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 1 : 1
let file = mapped(CommandLine.arguments[1])
guard file.count >= 24, file.loadUnaligned(as: UInt32.self) == 0xa1b2_c3d4 else { end("no capture file of this kind") }
let linkType = LinkType(rawValue: file.loadUnaligned(fromByteOffset: 20, as: UInt32.self))
var counts = Counts()
decodeAll(file, linkType) { frame, wireLength in counts.add(frame, wireLength: wireLength) }
var sum: UInt64 = 0
var best = Double.infinity
for _ in 0..<max(rounds, 1) {
    let start = processTime()
    sum &+= digestOfAll(file, linkType)
    best = min(best, processTime() - start)
}
let tenths = counts.frames == 0 ? 0 : Int(best * 10 / Double(counts.frames))
print("wire frames=\(counts.frames) ns_per_frame=\(tenths / 10).\(tenths % 10) digest=\(sum)")
print(
    "bytes \(counts.bytes) v4 \(counts.ipv4) v6 \(counts.ipv6) arp \(counts.arp) vlan \(counts.tagged)"
        + " tcp \(counts.tcp) udp \(counts.udp) icmp \(counts.icmp) frag \(counts.fragments) other \(counts.broken)"
        + " syn \(counts.syn) fin \(counts.fin) rst \(counts.rst)"
)
