import Foundation
import SondeDomain
import SondeTestKit
import Testing

@testable import ProcNetPlugin

/// The running kernel, in namespaces of the tests' own, against ip(8), tc(8) and conntrack(8).
@Suite(.enabled(if: Tool.ip.isInstalled && OwnNamespace.isPermitted, "needs root and iproute2"))
struct ExtrasLiveTests {
    private static func run(_ line: String) throws -> Data {
        let words = line.split(separator: " ").map(String.init)
        return try Tool(words[0], Array(words.dropFirst())).run()
    }

    private static func collected(_ proc: String) throws -> [String: SampleValue] {
        let harness = try ProcTree.started(proc)
        try harness.collect()
        return harness.host.lastCommit
    }

    private struct Neighbour: Decodable {
        let dst: String
        let state: [String]
    }

    @Test func neighboursAreThoseOfIp() throws {
        let (values, entries) = try OwnNamespace.run { proc in
            for line in [
                "ip link add va type veth peer name vb", "ip link set va up", "ip link set vb up",
                "ip addr add 10.9.0.1/24 dev va", "ip neigh add 10.9.0.2 lladdr 02:00:00:00:00:02 dev va nud permanent",
                "ip neigh add 10.9.0.3 lladdr 02:00:00:00:00:03 dev va nud permanent",
                "ip neigh add 10.9.0.4 lladdr 02:00:00:00:00:04 dev va nud stale",
                "ip neigh add fd00::4 lladdr 02:00:00:00:00:04 dev va nud noarp",
            ] { _ = try Self.run(line) }
            let values = try Self.collected(proc)
            return (values, try JSONDecoder().decode([Neighbour].self, from: Self.run("ip -j -4 neigh show nud all")))
        }
        func count(_ state: String, _ family: String = "ipv4") -> SampleValue? {
            values["sonde.neighbour.current{network.type=\(family),sonde.neighbour.state=\(state)}"]
        }
        for state in ["permanent", "stale", "reachable"] {
            let theirs = entries.count { $0.state == [state.uppercased()] }
            #expect(count(state) == .unsigned(UInt64(theirs)), "\(state)")
        }
        #expect(count("permanent") == .unsigned(2))
        #expect(
            values["sonde.neighbour.interface.current{network.interface.name=va,network.type=ipv4}"] == .unsigned(3))
        guard case .unsigned(let other)? = count("noarp", "ipv6") else {
            Issue.record("no count for IPv6")
            return
        }
        #expect(other >= 1)
    }

    private struct Queue: Decodable, Equatable {
        let bytes: UInt64
        let packets: UInt64
        let drops: UInt64
        let overlimits: UInt64
        let backlog: UInt64
        let qlen: UInt64
    }

    @Test(.enabled(if: Tool("tc", []).isInstalled)) func aQueueThatOverflowsIsThatOfTc() throws {
        let (values, queue) = try OwnNamespace.run { proc in
            try Tool.quiet()
            for line in [
                "ip link add va type veth peer name vb",
                "tc qdisc replace dev va root tbf rate 8kbit burst 2000 limit 60000",
                "ip link set va up", "ip link set vb up",
            ] { _ = try Self.run(line) }
            // One fits the burst, 59 the queue, for a minute. What is beyond is dropped, which sendto(2) returns as an error.
            for _ in 0..<90 { try? FrameSocket("va").send(1, length: 1_000) }
            // A frame goes a second: between two equal answers of tc is a moment in which nothing went.
            for _ in 0..<50 {
                let before = try Self.queue()
                let values = try Self.collected(proc)
                if try Self.queue() == before { return (values, before) }
            }
            return (try Self.collected(proc), try Self.queue())
        }
        let expected: [(String, UInt64)] = [
            ("io", queue.bytes), ("packet.count", queue.packets), ("packet.dropped", queue.drops),
            ("packet.overlimit", queue.overlimits), ("queue.length", queue.qlen), ("queue.backlog", queue.backlog),
        ]
        for (name, count) in expected {
            let key = "sonde.qdisc.\(name){network.interface.name=va,sonde.qdisc.kind=tbf}"
            #expect(values[key] == .unsigned(count), "\(name)")
        }
        #expect(queue.drops >= 20)
        #expect(queue.backlog > 0)
        #expect(!values.keys.contains { $0.contains("sonde.qdisc.kind=noqueue") })
    }

    private static func queue() throws -> Queue {
        let queues = try JSONDecoder().decode([Queue].self, from: run("tc -s -j qdisc show dev va"))
        return try #require(queues.first)
    }

    @Test(.enabled(if: Tool("conntrack", []).isInstalled)) func trackedConnectionsAreThoseOfConntrack() throws {
        let (values, count) = try OwnNamespace.run { proc in
            for port in 1...25 {
                let tuple = "-p tcp -s 192.0.2.1 -d 192.0.2.2 --sport \(port) --dport 80"
                _ = try Self.run("conntrack -I \(tuple) --state ESTABLISHED -t 60")
            }
            let values = try Self.collected(proc)
            let count = String(decoding: try Self.run("conntrack -C"), as: UTF8.self)
            return (values, UInt64(count.filter(\.isNumber)))
        }
        #expect(count == 25)
        #expect(values["sonde.conntrack.entry.current"] == count.map { .unsigned($0) })
        let limit = try String(contentsOfFile: "/proc/sys/net/netfilter/nf_conntrack_max", encoding: .utf8)
        #expect(values["sonde.conntrack.entry.limit"] == UInt64(limit.filter(\.isNumber)).map { .unsigned($0) })
        #expect(values["sonde.conntrack.event.insert"] == .unsigned(25))
    }

    @Test func softnetOfTheRunningKernelOnlyRises() throws {
        let harness = try ProcTree.started("/proc")
        var last: UInt64 = 0
        for round in 1...3 as ClosedRange<Int64> {
            harness.host.monotonicTime = MonotonicInstant(nanoseconds: 1_000_000_000_000_000 * round)
            try harness.collect()
            guard case .unsigned(let now)? = harness.host.lastCommit["sonde.softnet.packet.processed{sonde.scope=host}"]
            else {
                Issue.record("no softnet_stat")
                return
            }
            #expect(now >= last)
            last = now
        }
        #expect(last > 0)
    }
}
