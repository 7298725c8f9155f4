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
    /// BPF_RET|BPF_K, BPF_JMP|BPF_JA, BPF_JMP|BPF_JEQ|BPF_K and BPF_LD|BPF_W|BPF_ABS of `linux/bpf_common.h`.
    private static let returnConstant: UInt16 = 0x06
    private static let jump: UInt16 = 0x05
    private static let jumpIfEqual: UInt16 = 0x15
    private static let loadWord: UInt16 = 0x20
    /// Where a LINKTYPE_LINUX_SLL2 header has the device's index.
    private static let deviceOffset: UInt32 = 4

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

    /// The same, of packets of these devices alone; for Linux cooked packets (LINKTYPE_LINUX_SLL2).
    ///
    /// Made without libpcap's compiler, which would look host names of the filter up again.
    init(_ filter: CaptureFilter, onlyOf devices: [UInt32]) {
        var choice = [bpf_insn(code: Self.loadWord, jt: 0, jf: 0, k: Self.deviceOffset)]
        for (number, device) in devices.enumerated() {
            choice.append(bpf_insn(code: Self.jumpIfEqual, jt: 0, jf: 1, k: device))
            // Over the devices behind it, two steps each, and the end.
            choice.append(bpf_insn(code: Self.jump, jt: 0, jf: 0, k: UInt32((devices.count - number - 1) * 2 + 1)))
        }
        choice.append(bpf_insn(code: Self.returnConstant, jt: 0, jf: 0, k: 0))
        steps = choice + filter.steps
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
