import Foundation
import Glibc
import SondeDomain
import SondeTestKit
import Testing

@testable import ProcNetPlugin

/// The running kernel, against the programs that everybody uses.
///
/// Other tests use the network at the same time: a counter must lie between two readings of the other program.
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
                let packets = values["system.network.packet.count{\(attributes),system.device=\(name)}"]
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
                guard column.metric.kind == .counter, let low = before[row.name + name],
                    let high = after[row.name + name]
                else { continue }
                let attributes = column.attributes.sorted().map { "\($0.name)=\($0.value)" }.joined(separator: ",")
                let key = attributes.isEmpty ? column.metric.name : "\(column.metric.name){\(attributes)}"
                #expect(between(low, values[key], high), "\(row.name)\(name)")
                compared += 1
            }
        }
        #expect(compared > 100)
    }

    @Test(.enabled(if: Tool.ss.isInstalled)) func socketNumbersAgreeWithSs() throws {
        let harness = try started()
        // These go up and down while other tests run: look until nothing moved between the two readings.
        for _ in 0..<200 {
            let before = try SocketSummary()
            try harness.collect()
            guard try before == SocketSummary() else { continue }
            let values = harness.host.lastCommit
            guard
                values["sonde.kernel.sockstat.sockets.used"] == .unsigned(before.total),
                values["sonde.kernel.sockstat.tcp.tw"] == .unsigned(before.timeWait),
                values["sonde.kernel.sockstat.tcp.orphan"] == .unsigned(before.orphaned),
                values["sonde.kernel.tcp.curr_estab"] == .unsigned(before.established)
            else { continue }
            return
        }
        Issue.record("no reading agreed with ss -s")
    }

    @Test func datagramsOnTheLoopbackAreCounted() throws {
        let harness = try started()
        let key = "sonde.udp.datagram.count{network.io.direction=transmit,network.type=ipv4}"
        guard case .unsigned(let before)? = harness.host.lastCommit[key] else {
            Issue.record("no count of datagrams")
            return
        }
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try #require(
            withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
                    // Bound to a port of the kernel's choice, the socket sends to itself.
                    return bind(descriptor, pointer, size) == 0 && getsockname(descriptor, pointer, &size) == 0
                        && connect(descriptor, pointer, size) == 0
                }
            }
        )
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

private struct SocketSummary: Equatable {
    var total: UInt64 = 0
    var established: UInt64 = 0
    var orphaned: UInt64 = 0
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
            case "orphaned": orphaned = value
            case "timewait": timeWait = value
            default: continue
            }
        }
    }
}
