internal import SondeDomain
internal import SondePluginKit

/// Packets that the kernel frees because something was wrong, by its reason (net/core/skbuff.c, include/net/dropreason.h).
struct PacketDrops: KernelEvent {
    static let tracepoint = Tracepoint(group: "skb", name: "kfree_skb", option: "drops", since: "5.17")

    /// Of which protocol a packet is, as far as the kernel had written it down (linux/if_ether.h).
    enum Network: Int, CaseIterable {
        case ipv4
        case ipv6
        case arp
        case other
        /// Not written down: what is local to the host, and what was dropped before.
        case none

        var protocolNumber: Int32? {
            switch self {
            case .ipv4: 0x0800
            case .ipv6: 0x86dd
            case .arp: 0x0806
            case .none: 0
            case .other: nil
            }
        }

        var name: String { "\(self)" }
    }

    /// How reasons are numbered: those of the core, and those of a subsystem behind its number in the upper half
    /// (`enum skb_drop_reason_subsys`).
    enum Rows {
        static let core: UInt32 = 320
        static let subsystems: UInt32 = 3
        static let ofSubsystem: UInt32 = 64
        /// Every other number.
        static let other = core + subsystems * ofSubsystem
        static let count = other + 1

        /// The reason of a row; nil: the one of all others.
        static func reason(_ row: UInt32) -> UInt32? {
            guard row < other else { return nil }
            guard row >= core else { return row }
            let place = row - core
            return (place / ofSubsystem + 1) << 16 | place % ofSubsystem
        }
    }

    let slots = Int(Rows.count) * Network.allCases.count
    private let reason: NumberField
    private let network: NumberField
    private let names: [String]

    init(_ format: TracepointFormat) throws(MissingField) {
        reason = try format.number("reason")
        network = try format.number("protocol")
        let symbols = SymbolTable(of: "reason", in: format, prefix: "reason")
        names = (0..<Rows.count).map { Rows.reason($0).map(symbols.name) ?? "other" }
    }

    func choose(_ program: inout ProgramBuilder, skip: ProgramBuilder.Label) {
        let (row, other) = (program.label(), program.label())
        program.load(.r6, reason)
        program.load(.r7, network)
        program.jump(.less, .r6, Int32(Rows.core), to: row)
        program.apply(.move, .r8, .r6)
        program.apply(.shiftRight, .r8, 16)
        program.jump(.equal, .r8, 0, to: other)
        program.jump(.greater, .r8, Int32(Rows.subsystems), to: other)
        program.apply(.and, .r6, 0xffff)
        program.jump(.greaterOrEqual, .r6, Int32(Rows.ofSubsystem), to: other)
        program.apply(.add, .r8, -1)
        program.apply(.multiply, .r8, Int32(Rows.ofSubsystem))
        program.apply(.add, .r6, .r8)
        program.apply(.add, .r6, Int32(Rows.core))
        program.jump(to: row)
        program.place(other)
        program.apply(.move, .r6, Int32(Rows.other))
        program.place(row)
        chooseNetwork(&program)
    }

    private func chooseNetwork(_ program: inout ProgramBuilder) {
        let done = program.label()
        program.apply(.multiply, .r6, Int32(Network.allCases.count))
        for network in Network.allCases {
            guard let number = network.protocolNumber else { continue }
            let next = program.label()
            program.jump(.notEqual, .r7, number, to: next)
            program.apply(.add, .r6, Int32(network.rawValue))
            program.jump(to: done)
            program.place(next)
        }
        program.apply(.add, .r6, Int32(Network.other.rawValue))
        program.place(done)
    }

    func report(_ counts: [UInt64], to sheet: SampleSheet) {
        for (slot, count) in counts.enumerated() where count > 0 {
            let (row, network) = slot.quotientAndRemainder(dividingBy: Network.allCases.count)
            guard names.indices.contains(row) else { return }
            let attributes = [
                Attribute("sonde.drop.reason", names[row]),
                Attribute("network.type", Network.allCases[network].name), DropMetrics.scope,
            ]
            sheet.count(DropMetrics.packets, count, cell: slot, attributes)
        }
    }
}
