internal import SondeDomain
internal import SondePluginKit

/// How connections of TCP begin, by what their sockets become.
struct Handshakes: KernelEvent {
    static let tracepoint = Tracepoint(
        group: "sock", name: "inet_sock_set_state", option: "handshakes", since: "4.16")

    /// The end of a handshake, as a change of the socket's state (include/net/tcp_states.h).
    enum Result: Int, CaseIterable {
        /// SYN_SENT → ESTABLISHED.
        case established
        /// SYN_SENT → CLOSE: refused, timed out, or given up.
        case failed
        /// SYN_RECV → ESTABLISHED.
        case accepted
        /// SYN_RECV → CLOSE: of TCP Fast Open only, since all others are no sockets before they are complete.
        case abandoned

        /// Whether 0 means that there was none.
        var isSeenAlways: Bool { self != .abandoned }

        var name: String { "\(self)" }
        var old: Int32 { self == .established || self == .failed ? 2 : 3 }
        var new: Int32 { self == .established || self == .accepted ? 1 : 7 }
    }

    // IPPROTO_TCP: sockets of SCTP and MPTCP have the same states, and those of MPTCP one of TCP below them.
    private static let tcp: Int32 = 6

    let slots = Result.allCases.count * NetworkType.allCases.count
    private let transport: NumberField
    private let old: NumberField
    private let new: NumberField
    private let family: FamilyFields

    init(_ format: TracepointFormat) throws(MissingField) {
        transport = try format.number("protocol")
        old = try format.number("oldstate")
        new = try format.number("newstate")
        family = try FamilyFields(format)
    }

    func choose(_ program: inout ProgramBuilder, skip: ProgramBuilder.Label) {
        let found = program.label()
        // Most changes are of other states: they go first.
        program.load(.r4, old)
        program.load(.r5, new)
        for result in Result.allCases {
            let next = program.label()
            program.jump(.notEqual, .r4, result.old, to: next)
            program.jump(.notEqual, .r5, result.new, to: next)
            program.apply(.move, .r6, Int32(result.rawValue))
            program.jump(to: found)
            program.place(next)
        }
        program.jump(to: skip)
        program.place(found)
        program.load(.r4, transport)
        program.jump(.notEqual, .r4, Self.tcp, to: skip)
        family.choose(&program, into: .r7, skip: skip)
        program.apply(.multiply, .r6, Int32(NetworkType.allCases.count))
        program.apply(.add, .r6, .r7)
    }

    func report(_ counts: [UInt64], to sheet: SampleSheet) {
        for (slot, count) in counts.enumerated() {
            let (result, network) = slot.quotientAndRemainder(dividingBy: NetworkType.allCases.count)
            guard Result.allCases.indices.contains(result) else { return }
            guard count > 0 || Result.allCases[result].isSeenAlways else { continue }
            sheet.add(
                DropMetrics.handshakes, .unsigned(count), cell: slot,
                [
                    Attribute("sonde.tcp.handshake.result", Result.allCases[result].name),
                    NetworkType.allCases[network].attribute, DropMetrics.scope,
                ])
        }
    }
}
