internal import SondeDomain
internal import SondePluginKit

/// Resets that this host sends, with the reason where the kernel gives one (from 6.10 on).
struct SentResets: KernelEvent {
    static let tracepoint = Tracepoint(group: "tcp", name: "tcp_send_reset", option: "resets_sent", since: "4.15")

    private static let reasonCount = 64

    let slots = (reasonCount + 1) * NetworkType.allCases.count
    private let reason: NumberField?
    private let names: [String]
    private let family: FamilyFields

    init(_ format: TracepointFormat) throws(MissingField) {
        family = try FamilyFields(format)
        reason = format.optionalNumber("reason")
        let symbols = SymbolTable(of: "reason", in: format, prefix: "reason")
        names = (0..<UInt32(Self.reasonCount)).map(symbols.name) + ["other"]
    }

    func choose(_ program: inout ProgramBuilder, skip: ProgramBuilder.Label) {
        family.choose(&program, into: .r7, skip: skip)
        program.apply(.move, .r6, 0)
        if let reason {
            let known = program.label()
            program.load(.r6, reason)
            program.jump(.less, .r6, Int32(Self.reasonCount), to: known)
            program.apply(.move, .r6, Int32(Self.reasonCount))
            program.place(known)
        }
        program.apply(.multiply, .r6, Int32(NetworkType.allCases.count))
        program.apply(.add, .r6, .r7)
    }

    func report(_ counts: [UInt64], to sheet: SampleSheet) {
        for (slot, count) in counts.enumerated() where count > 0 {
            let (row, network) = slot.quotientAndRemainder(dividingBy: NetworkType.allCases.count)
            guard names.indices.contains(row) else { return }
            let attributes = reason == nil ? [] : [Attribute("sonde.tcp.reset.reason", names[row])]
            sheet.count(
                DropMetrics.sentResets, count, cell: slot,
                attributes + [NetworkType.allCases[network].attribute, DropMetrics.scope])
        }
    }
}

/// Resets that end connections of this host.
struct ReceivedResets: KernelEvent {
    static let tracepoint = Tracepoint(
        group: "tcp", name: "tcp_receive_reset", option: "resets_received", since: "4.15")

    let slots = NetworkType.allCases.count
    private let family: FamilyFields

    init(_ format: TracepointFormat) throws(MissingField) { family = try FamilyFields(format) }

    func choose(_ program: inout ProgramBuilder, skip: ProgramBuilder.Label) {
        family.choose(&program, into: .r6, skip: skip)
    }

    func report(_ counts: [UInt64], to sheet: SampleSheet) {
        for (count, network) in zip(counts, NetworkType.allCases) {
            sheet.add(
                DropMetrics.receivedResets, .unsigned(count), cell: network.rawValue,
                [network.attribute, DropMetrics.scope])
        }
    }
}
