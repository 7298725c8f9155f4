import Foundation
import Glibc
import SondeDomain
import SondeNetlink
import SondeTestKit
import Testing

@testable import ProcNetPlugin

/// Sockets of a namespace of the test's own, against ss(8).
@Suite(.enabled(if: Tool.ss.isInstalled && Tool.ip.isInstalled && OwnNamespace.isPermitted))
struct SocketLiveTests {
    private static let states = [
        ("established", "established"), ("syn_sent", "syn-sent"), ("syn_received", "syn-recv"),
        ("fin_wait_1", "fin-wait-1"), ("fin_wait_2", "fin-wait-2"), ("time_wait", "time-wait"),
        ("close_wait", "close-wait"), ("last_ack", "last-ack"), ("listen", "listening"), ("closing", "closing"),
    ]

    private static func lines(_ arguments: [String]) throws -> [[Substring]] {
        let text = String(decoding: try Tool("ss", arguments).run(), as: UTF8.self)
        return text.split(separator: "\n").map { $0.split(separator: " ") }
    }

    @Test func everyStateHasAsManySocketsAsSsSays() throws {
        let (ours, theirs) = try OwnNamespace.run { proc in
            try Tool.loopbackUp.run()
            let zoo = try SocketZoo()
            let harness = try ProcTree.started(proc)
            try harness.collect()
            let theirs = try Dictionary(
                uniqueKeysWithValues: Self.states.map { word, name in
                    (word, try Self.lines(["-Htan", "-4", "state", name]).count)
                }
            )
            return withExtendedLifetime(zoo) { (harness.host.lastCommit, theirs) }
        }
        for (word, count) in theirs {
            let key = "network.connection.state=\(word),network.transport=tcp,network.type=ipv4"
            #expect(ours["system.network.connections{\(key)}"] == .unsigned(UInt64(count)), "\(word)")
        }
        #expect(theirs["established"] == 8)
        #expect(theirs["close_wait"] == 3)
        #expect(theirs["fin_wait_2"] == 3)
        #expect(theirs["listen"] == 1)
        #expect(theirs["time_wait"] == 2)
    }

    @Test func socketsOfIPv6AreCountedForThemselves() throws {
        let (ours, theirs) = try OwnNamespace.run { proc in
            try Tool.loopbackUp.run()
            // A listener on both families takes a connection of IPv4: its end is a socket of IPv6 all the same.
            let pair = try DualStackConnection()
            let harness = try ProcTree.started(proc)
            try harness.collect()
            let theirs = try ["-6", "-4"].map { try Self.lines(["-Htan", $0, "state", "established"]).count }
            return withExtendedLifetime(pair) { (harness.host.lastCommit, theirs) }
        }
        for (family, count) in zip(["ipv6", "ipv4"], theirs) {
            let key = "network.connection.state=established,network.transport=tcp,network.type=\(family)"
            #expect(ours["system.network.connections{\(key)}"] == .unsigned(UInt64(count)), "\(family)")
        }
        #expect(theirs == [1, 1])
    }

    @Test func theAcceptQueueIsThatOfSs() throws {
        let (ours, theirs, port) = try OwnNamespace.run { proc in
            try Tool.loopbackUp.run()
            let zoo = try SocketZoo()
            let harness = try ProcTree.started(proc)
            try harness.collect()
            let line = try Self.lines(["-Hlnt"]).first ?? []
            return withExtendedLifetime(zoo) { (harness.host.lastCommit, line.map(String.init), zoo.port) }
        }
        // State, Recv-Q, Send-Q, address.
        let key = "{network.local.port=\(port)}"
        #expect(theirs.count > 3)
        #expect(ours["sonde.tcp.listener.queue.length\(key)"].map { "\($0)" } == "unsigned(\(theirs[1]))")
        #expect(ours["sonde.tcp.listener.queue.limit\(key)"].map { "\($0)" } == "unsigned(\(theirs[2]))")
        #expect(ours["sonde.tcp.listener.queue.length\(key)"] == .unsigned(2))
    }

    @Test func droppedDatagramsAreThoseThatWereSent() throws {
        let (first, second, port) = try OwnNamespace.run { proc in
            try Tool.loopbackUp.run()
            let descriptor = try Loopback.bound(SOCK_DGRAM)
            var size: Int32 = 2_304
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
            try Loopback.connect(descriptor, to: descriptor)
            func fill(_ count: Int) { for _ in 0..<count { _ = send(descriptor, "x", 1, 0) } }
            fill(100)
            let harness = try ProcTree.started(proc)
            try harness.collect()
            // The walk's cost decides when the next one is due.
            harness.host.monotonicTime = .distantFuture
            fill(50)
            try harness.collect()
            let second = harness.host.lastCommit
            defer { close(descriptor) }
            return (harness.host.commits[0].count, second, try Loopback.port(descriptor))
        }
        #expect(first > 0)
        #expect(second["sonde.udp.socket.drop{network.local.port=\(port)}"] == .unsigned(50))
        guard case .unsigned(let queue)? = second["sonde.udp.socket.queue{network.local.port=\(port)}"] else {
            Issue.record("no queue")
            return
        }
        #expect(queue > 0)
    }

    @Test func everyEstablishedConnectionIsLookedAt() throws {
        let (values, port) = try OwnNamespace.run { proc in
            try Tool.loopbackUp.run()
            let zoo = try SocketZoo()
            let harness = try PluginHarness(
                sonde_plugin_procnet(),
                options: ["proc": .string(proc), "sockets": .string("detail")]
            )
            try harness.start()
            try harness.collect()
            return withExtendedLifetime(zoo) { (harness.host.lastCommit, zoo.port) }
        }
        #expect(values["sonde.tcp.connection.current{network.local.port=\(port)}"] == .unsigned(4))
        #expect(values["sonde.tcp.connection.current{network.local.port=other}"] == .unsigned(4))
        guard case .double(let seconds)? = values["sonde.tcp.connection.rtt.p50{network.local.port=\(port)}"] else {
            Issue.record("no round-trip time")
            return
        }
        #expect(seconds > 0 && seconds < 0.5)
        let cgroups = values.filter { $0.key.hasPrefix("sonde.cgroup.connection.current{") }
        #expect(!cgroups.isEmpty)
    }

    @Test func theTablesGiveTheSameNumbersAsTheWalk() throws {
        let (walked, read) = try OwnNamespace.run { proc in
            try Tool.loopbackUp.run()
            let zoo = try SocketZoo()
            let harness = try ProcTree.started(proc)
            try harness.collect()
            var walk = SocketWalk()
            var listeners = ListenerTable()
            var problems = InputProblemCounts()
            let text = SocketText(proc: proc)
            _ = try text.read(.tcp, into: &walk, listeners: &listeners, problems: &problems)
            let counts = walk.tcp
            return withExtendedLifetime(zoo) { (harness.host.lastCommit, counts) }
        }
        for state in [SocketState.established, .closeWait, .finWait2, .timeWait, .listen] {
            let key = "network.connection.state=\(state.word),network.transport=tcp,network.type=ipv4"
            let count = walked["system.network.connections{\(key)}"]
            #expect(count == .unsigned(read[.ipv4, state]), "\(state.word)")
        }
    }
}
