internal import SondeDomain
internal import SondePluginKit

/// TCP segments that are sent again.
struct Retransmissions: KernelEvent {
    static let tracepoint = Tracepoint(
        group: "tcp", name: "tcp_retransmit_skb", option: "retransmissions", since: "4.20")

    /// Who offers a service, by the number of its port: the other end below 32768, this one else (the ports that Linux
    /// gives to connections begin there, ip_local_port_range).
    enum PortClass: Int, CaseIterable {
        case system
        case user
        case dynamic

        var name: String { "\(self)" }
        /// The first port of the next class.
        var end: Int32? {
            switch self {
            case .system: 1_024
            case .user: 32_768
            case .dynamic: nil
            }
        }
    }

    // include/net/tcp_states.h, from 1 on; the numbers are fixed for BPF (BPF_TCP_ESTABLISHED…).
    private static let states = [
        "established", "syn_sent", "syn_received", "fin_wait_1", "fin_wait_2", "time_wait", "closed", "close_wait",
        "last_ack", "listen", "closing", "syn_received",
    ]
    private static let stateCount = 16

    let slots = stateCount * PortClass.allCases.count * NetworkType.allCases.count
    private let state: NumberField
    private let port: NumberField
    private let family: FamilyFields

    init(_ format: TracepointFormat) throws(MissingField) {
        state = try format.number("state")
        port = try format.number("dport")
        family = try FamilyFields(format)
    }

    func choose(_ program: inout ProgramBuilder, skip: ProgramBuilder.Label) {
        let (known, done) = (program.label(), program.label())
        family.choose(&program, into: .r7, skip: skip)
        program.load(.r6, state)
        program.jump(.less, .r6, Int32(Self.stateCount), to: known)
        program.apply(.move, .r6, 0)
        program.place(known)
        program.load(.r8, port)
        program.apply(.multiply, .r6, Int32(PortClass.allCases.count))
        for port in PortClass.allCases {
            guard let end = port.end else { continue }
            program.jump(.less, .r8, end, to: done)
            program.apply(.add, .r6, 1)
        }
        program.place(done)
        program.apply(.multiply, .r6, Int32(NetworkType.allCases.count))
        program.apply(.add, .r6, .r7)
    }

    func report(_ counts: [UInt64], to sheet: SampleSheet) {
        for (name, rows) in Self.rows {
            for (slot, port, network) in Self.cells {
                let count = rows.reduce(UInt64(0)) { sum, row in
                    let place = row * Self.cells.count + slot
                    return counts.indices.contains(place) ? sum &+ counts[place] : sum
                }
                sheet.count(
                    DropMetrics.retransmissions, count, cell: (rows.first ?? 0) * Self.cells.count + slot,
                    [
                        Attribute("network.connection.state", name), Attribute("sonde.port.class", port.name),
                        network.attribute, DropMetrics.scope,
                    ])
            }
        }
    }

    /// States with the rows that are theirs: two of the kernel's have one name, and what has no name is `unknown`.
    private static let rows: [(name: String, rows: [Int])] = {
        let names = (0..<stateCount).map { $0 >= 1 && $0 <= states.count ? states[$0 - 1] : "unknown" }
        var rows: [(name: String, rows: [Int])] = []
        for (row, name) in names.enumerated() {
            if let known = rows.firstIndex(where: { $0.name == name }) {
                rows[known].rows.append(row)
            } else {
                rows.append((name, [row]))
            }
        }
        return rows
    }()

    /// The counters of one state.
    private static let cells: [(slot: Int, PortClass, NetworkType)] = PortClass.allCases.flatMap { port in
        NetworkType.allCases.map { network in
            (port.rawValue * NetworkType.allCases.count + network.rawValue, port, network)
        }
    }
}
