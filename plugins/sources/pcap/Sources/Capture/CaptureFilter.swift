internal import CPcap
internal import SondePluginKit

/// The program that decides in the kernel which packets are kept, and how much of each.
///
/// What a filter returns is how many bytes are kept (socket filters, `net/packet/af_packet.c`). A program of two parts keeps
/// the segments of some streams whole and the head of everything else: a stream is of no use where a part of it is missing.
struct CaptureFilter {
    /// Such a segment is kept up to this length, which is the longest that segmentation offload makes.
    static let wholeSegment: Int32 = 65_535

    /// Ports are within it: of any link and tag, and of IPv4 with all its options.
    private static let longestHeaders: Int32 = 128
    /// BPF_RET|BPF_K and BPF_JMP|BPF_JA of `linux/bpf_common.h`.
    private static let returnConstant: UInt16 = 0x06
    private static let jump: UInt16 = 0x05

    private let steps: [bpf_insn]

    /// Compiles for an activated capture; nil leaves the reason in `pcap_geterr`.
    ///
    /// `filter` in the language of pcap-filter(7), `headLength` bytes of what passes, and of TCP on `ports` everything.
    init?(_ filter: String, headLength: Int32, wholeOn ports: [UInt16], for pcap: OpaquePointer) {
        guard var heads = Self.compile(filter, pcap) else { return nil }
        Self.keep(headLength, &heads)
        let longer = max(headLength, Self.longestHeaders) + 1
        steps = Self.segments(ports, filter, longer, pcap).map { Self.joined($0, heads) } ?? heads
    }

    /// Hands the program to the kernel; false leaves the reason in `pcap_geterr`.
    func install(on pcap: OpaquePointer) -> Bool {
        var copy = steps
        return copy.withUnsafeMutableBufferPointer { buffer in
            var program = bpf_program(bf_len: UInt32(clamping: buffer.count), bf_insns: buffer.baseAddress)
            return pcap_setfilter(pcap, &program) == 0
        }
    }

    /// The part for streams, or nil where this kind of link cannot have it.
    ///
    /// It looks at packets of `length` bytes or more only: a program ends and drops the packet if it reads beyond the
    /// end, as in a frame whose lengths are wrong.
    private static func segments(
        _ ports: [UInt16], _ filter: String, _ length: Int32, _ pcap: OpaquePointer
    ) -> [bpf_insn]? {
        guard !ports.isEmpty else { return nil }
        let streams = "tcp and (\(ports.map { "port \($0)" }.joined(separator: " or ")))"
        let own = filter.isEmpty ? "greater \(length) and " : "greater \(length) and (\(filter)) and "
        // Not every link has VLANs.
        return compile("\(own)((\(streams)) or (vlan and \(streams)))", pcap) ?? compile("\(own)(\(streams))", pcap)
    }

    private static func compile(_ filter: String, _ pcap: OpaquePointer) -> [bpf_insn]? {
        var program = bpf_program()
        guard pcap_compile(pcap, &program, filter, 1, sonde_pcap_netmask_unknown) == 0 else { return nil }
        defer { pcap_freecode(&program) }
        return Array(UnsafeBufferPointer(start: program.bf_insns, count: Int(program.bf_len)))
    }

    /// Lets what passes be kept up to a length.
    private static func keep(_ length: Int32, _ steps: inout [bpf_insn]) {
        for index in steps.indices where steps[index].code == returnConstant && steps[index].k > 0 {
            steps[index].k = UInt32(clamping: length)
        }
    }

    /// The second program where the first one lets nothing pass.
    private static func joined(_ first: [bpf_insn], _ second: [bpf_insn]) -> [bpf_insn] {
        var steps = first
        for index in steps.indices where steps[index].code == returnConstant && steps[index].k == 0 {
            steps[index] = bpf_insn(code: jump, jt: 0, jf: 0, k: UInt32(clamping: first.count - index - 1))
        }
        return steps + second
    }
}
