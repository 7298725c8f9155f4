import Foundation
import Glibc
import SondeDomain
import SondeTestKit
import Testing

@testable import ProcNetPlugin

/// The running kernel, against the programs that everybody uses.
///
/// Other tests use the network at the same time: a counter must be between two readings of the other program.
@Suite struct ProcNetLiveTests {
    private func started() throws -> PluginHarness {
        let harness = try ProcTree.started("/proc")
        // The first reading opens the series, so that the second one is the steady path.
        try harness.collect()
        return harness
    }

    private func between(_ low: UInt64, _ value: SampleValue?, _ high: UInt64) -> Bool {
        guard case .unsigned(let value)? = value else { return false }
        return low <= value && value <= high
    }

    // nstat's JSON has the lower 32 bits of a counter.
    private func betweenLowHalves(_ low: UInt64, _ value: SampleValue?, _ high: UInt64) -> Bool {
        guard case .unsigned(let value)? = value else { return false }
        let start = UInt32(truncatingIfNeeded: low)
        return UInt32(truncatingIfNeeded: value) &- start <= UInt32(truncatingIfNeeded: high) &- start
    }

    @Test(.enabled(if: Tool.ip.isInstalled)) func interfacesAgreeWithIP() throws {
        let harness = try started()
        let before = try Link.all()
        try harness.collect()
        let after = try Link.all()
        let values = harness.host.lastCommit
        #expect(before["lo"] != nil)
        for (name, first) in before {
            guard let last = after[name] else { continue }
            for (direction, lower, upper) in [("receive", first.rx, last.rx), ("transmit", first.tx, last.tx)] {
                let attributes = "network.interface.name=\(name),network.io.direction=\(direction)"
                #expect(between(lower.bytes, values["system.network.io{\(attributes)}"], upper.bytes))
                #expect(between(lower.errors, values["system.network.errors{\(attributes)}"], upper.errors))
                let packets = values["system.network.packet.count{\(attributes)}"]
                #expect(between(lower.packets, packets, upper.packets))
            }
        }
    }

    @Test(.enabled(if: Tool.nstat.isInstalled)) func protocolCountersAgreeWithNstat() throws {
        let harness = try started()
        let before = try Nstat.all()
        try harness.collect()
        let after = try Nstat.all()
        let values = harness.host.lastCommit
        var compared = 0
        for row in KnownColumns.rows where row.table != .sockstat && row.table != .sockstat6 {
            for name in row.columns.split(separator: " ").map(String.init) {
                let column = try #require(ColumnNaming.column(name, row: row.name, table: row.table))
                // What nstat(8) prints in milliseconds is reported in seconds.
                guard column.metric.kind == .counter, column.scale == nil, let low = before[row.name + name],
                    let high = after[row.name + name]
                else { continue }
                let attributes = column.attributes.sorted().map { "\($0.name)=\($0.value)" }.joined(separator: ",")
                let key = attributes.isEmpty ? column.metric.name : "\(column.metric.name){\(attributes)}"
                #expect(betweenLowHalves(low, values[key], high), "\(row.name)\(name)")
                compared += 1
            }
        }
        #expect(compared > 100)
    }

    @Test(.enabled(if: Tool.ss.isInstalled && Tool.ip.isInstalled && OwnNamespace.isPermitted))
    func socketNumbersAgreeWithSs() throws {
        // These go up and down with every other test: they are compared in an empty namespace.
        let (values, summary) = try OwnNamespace.run { proc in
            try Tool.loopbackUp.run()
            let connection = try LoopbackConnection()
            let harness = try ProcTree.started(proc)
            try harness.collect()
            return try withExtendedLifetime(connection) { (harness.host.lastCommit, try SocketSummary()) }
        }
        #expect(summary.established == 2)
        #expect(values["sonde.kernel.tcp.curr_estab"] == .unsigned(summary.established))
        #expect(values["sonde.socket.current"] == .unsigned(summary.total))
        #expect(values["sonde.kernel.sockstat.tcp.inuse"] == .unsigned(3))
        #expect(values["sonde.kernel.sockstat.tcp.tw"] == .unsigned(summary.timeWait))
        #expect(values["sonde.tcp.connection.opened{sonde.tcp.open=active}"] == .unsigned(1))
    }

    @Test func datagramsOnTheLoopbackAreCounted() throws {
        let harness = try started()
        let key = "sonde.udp.datagram.count{network.io.direction=transmit,network.type=ipv4}"
        guard case .unsigned(let before)? = harness.host.lastCommit[key] else {
            Issue.record("no count of datagrams")
            return
        }
        let descriptor = try Loopback.bound(SOCK_DGRAM)
        defer { close(descriptor) }
        // Connected to its own port, the socket sends to itself.
        try Loopback.connect(descriptor, to: descriptor)
        for _ in 0..<10 { #expect(send(descriptor, "x", 1, 0) == 1) }
        try harness.collect()
        #expect(between(before + 10, harness.host.lastCommit[key], .max))
    }
}

private struct Link: Decodable {
    struct Direction: Decodable {
        let bytes: UInt64
        let packets: UInt64
        let errors: UInt64
    }

    private struct Statistics: Decodable {
        let rx: Direction
        let tx: Direction
    }

    private enum CodingKeys: String, CodingKey {
        case name = "ifname"
        case statistics = "stats64"
    }

    private let name: String
    private let statistics: Statistics

    var rx: Direction { statistics.rx }
    var tx: Direction { statistics.tx }

    static func all() throws -> [String: Link] {
        let links = try JSONDecoder().decode([Link].self, from: Tool.ip.run())
        return Dictionary(links.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

private enum Nstat {
    static func all() throws -> [String: UInt64] {
        // MaxConn is -1 and may come in any spelling: what is no unsigned integer is not compared.
        let values = try JSONDecoder().decode([String: [String: Value]].self, from: Tool.nstat.run())
        return (values["kernel"] ?? [:]).compactMapValues(\.number)
    }

    struct Value: Decodable {
        let number: UInt64?

        init(from decoder: any Decoder) throws {
            number = try? decoder.singleValueContainer().decode(UInt64.self)
        }
    }
}

private struct SocketSummary {
    var total: UInt64 = 0
    var established: UInt64 = 0
    var timeWait: UInt64 = 0

    /// Reads "Total: 16" and "TCP:   1 (estab 0, closed 0, orphaned 0, timewait 0)".
    init() throws {
        let text = String(decoding: try Tool.ss.run(), as: UTF8.self)
        let words = text.split { !$0.isLetter && !$0.isNumber }
        for (word, next) in zip(words, words.dropFirst()) {
            guard let value = UInt64(next) else { continue }
            switch word {
            case "Total": total = value
            case "estab": established = value
            case "timewait": timeWait = value
            default: continue
            }
        }
    }
}
