import Foundation
import Glibc

/// What the tools of iproute2 say about this host.
enum Iproute {
    static let isInstalled = ["/usr/sbin/ip", "/usr/bin/nstat", "/usr/bin/ss"].allSatisfy { (path: String) in
        access(path, X_OK) == 0
    }

    private struct Link: Decodable {
        struct Statistics: Decodable {
            var rx: [String: Double]
            var tx: [String: Double]
        }

        var ifname: String
        var stats64: Statistics
    }

    private struct Counters: Decodable {
        var kernel: [String: Double]
    }

    /// Counters by `interface/metric/direction`, from `ip -s -s -j link`.
    static func links(_ workspace: Workspace) async throws -> [String: Double] {
        let text = try await workspace.run(["/usr/sbin/ip", "-s", "-s", "-j", "link"]).output
        var values: [String: Double] = [:]
        for link in try JSONDecoder().decode([Link].self, from: Data(text.utf8)) {
            for (direction, row) in [("receive", link.stats64.rx), ("transmit", link.stats64.tx)] {
                let key = { (metric: String) in "\(link.ifname)/system.network.\(metric)/\(direction)" }
                values[key("io")] = row["bytes"]
                values[key("packet.count")] = row["packets"]
                values[key("errors")] = row["errors"]
                // net/core/net-procfs.c, dev_seq_printf_stats: missed packets are added to those received and dropped.
                values[key("packet.dropped")] = row["dropped"].map { $0 + (row["missed_errors"] ?? 0) }
            }
        }
        return values
    }

    /// The key of a point in `links`, or nil.
    static func linkKey(of point: PointLine) -> String? {
        guard point.name.hasPrefix("system.network."), let attributes = point.attributes else { return nil }
        guard let interface = attributes["network.interface.name"] else { return nil }
        guard let direction = attributes["network.io.direction"] else { return nil }
        return "\(interface)/\(point.name)/\(direction)"
    }

    /// Counters by nstat's names in lower case.
    static func counters(_ workspace: Workspace) async throws -> [String: Double] {
        let result = try await workspace.run(
            ["/usr/bin/nstat", "-asz", "--json"],
            environment: ["NSTAT_HISTORY": workspace.path("nstat")]
        )
        let counters = try JSONDecoder().decode(Counters.self, from: Data(result.output.utf8)).kernel
        return Dictionary(counters.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
    }

    /// nstat's names of metrics that have a name of their own.
    static let namedCounters = [
        "sonde.ip.packet.count{receive,ipv4}": "ipinreceives",
        "sonde.ip.packet.count{transmit,ipv4}": "ipoutrequests",
        "sonde.ip.packet.count{receive,ipv6}": "ip6inreceives",
        "sonde.ip.packet.count{transmit,ipv6}": "ip6outrequests",
        "sonde.tcp.segment.count{receive}": "tcpinsegs",
        "sonde.tcp.segment.count{transmit}": "tcpoutsegs",
        "sonde.tcp.segment.retransmitted{}": "tcpretranssegs",
        "sonde.tcp.connection.opened{active}": "tcpactiveopens",
        "sonde.tcp.connection.opened{passive}": "tcppassiveopens",
        "sonde.tcp.connection.failed{}": "tcpattemptfails",
        "sonde.tcp.connection.reset{}": "tcpestabresets",
        "sonde.tcp.listen.overflow{}": "tcpextlistenoverflows",
        "sonde.tcp.timeout{}": "tcpexttcptimeouts",
        "sonde.udp.datagram.count{receive,ipv4}": "udpindatagrams",
        "sonde.udp.datagram.count{transmit,ipv4}": "udpoutdatagrams",
        "sonde.udp.datagram.error{no_port,ipv4}": "udpnoports",
        "sonde.ip.packet.no_route{receive,ipv4}": "ipextinnoroutes",
        "sonde.ip.packet.no_route{transmit,ipv4}": "ipoutnoroutes",
        "sonde.tcp.reset.sent{}": "tcpoutrsts",
        "sonde.tcp.syn.retransmitted{}": "tcpexttcpsynretrans",
        "sonde.tcp.syn_cookie.sent{}": "tcpextsyncookiessent",
        "sonde.tcp.syn_cookie.received{}": "tcpextsyncookiesrecv",
        "sonde.tcp.syn_cookie.failed{}": "tcpextsyncookiesfailed",
        "sonde.tcp.request_queue.drop{}": "tcpexttcpreqqfulldrop",
        "sonde.tcp.request_queue.cookie{}": "tcpexttcpreqqfulldocookies",
        "sonde.tcp.receive_queue.drop{}": "tcpexttcprcvqdrop",
        "sonde.tcp.connection.aborted_on_memory{}": "tcpexttcpabortonmemory",
        "sonde.tcp.memory.pressure{}": "tcpexttcpmemorypressures",
        "sonde.icmp.message.error{receive,ipv4}": "icmpinerrors",
        "sonde.icmp.message.error{transmit,ipv4}": "icmpouterrors",
    ]

    /// The key of a point in `counters`, or nil.
    static func counterKey(of point: PointLine) -> String? {
        let kernel = "sonde.kernel."
        guard !point.name.hasPrefix(kernel) else {
            return point.name.dropFirst(kernel.count).filter { $0 != "." && $0 != "_" }.lowercased()
        }
        let order = ["network.io.direction", "sonde.tcp.open", "error.type", "network.type"]
        let values = order.compactMap { point.attributes?[$0] }.joined(separator: ",")
        return namedCounters["\(point.name){\(values)}"]
    }

    /// Sockets in use by `protocol`, from the table of `ss -s`.
    static func sockets(_ workspace: Workspace) async throws -> [String: Double] {
        let text = try await workspace.run(["/usr/bin/ss", "-s"]).output
        var values: [String: Double] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split { $0 == " " || $0 == "\t" }
            guard words.count == 4, ["RAW", "UDP", "TCP"].contains(words[0]) else { continue }
            values[words[0].lowercased()] = Double(words[2])
            values[words[0].lowercased() + "6"] = Double(words[3])
        }
        return values
    }

    /// The same from points.
    static func sockets(_ points: [PointLine]) -> [String: Double] {
        var values: [String: Double] = [:]
        for name in ["raw", "udp", "tcp", "raw6", "udp6", "tcp6"] {
            values[name] = points.first { $0.name == "sonde.kernel.sockstat.\(name).inuse" }?.value
        }
        return values
    }
}
