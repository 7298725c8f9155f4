import Foundation
import Glibc
import SondeDomain
import SondeNetlink
import SondeTestKit
import Testing

@testable import ProcNetPlugin

@Suite struct SocketStageTests {
    private static let sockets = [
        FakeSocket(.listen, port: 80).with {
            $0.receiveQueue = 3
            $0.sendQueue = 127
            $0.drops = 10
        },
        FakeSocket(.established, port: 80),
        FakeSocket(.established, port: 80),
        FakeSocket(.closeWait, port: 80),
        FakeSocket(.timeWait, port: 80).with { $0.isFull = false },
        FakeSocket(.closed, port: 53).with {
            $0.transport = 17
            $0.receiveQueue = 512
            $0.drops = 5
        },
    ]
    private static let sockstat = "sockets: used 9\nTCP: inuse 4 orphan 0 tw 1 alloc 9 mem 1\n"
    private static let sockstat6 = "TCP6: inuse 0\nUDP6: inuse 0\n"

    private func bench() throws -> SocketBench {
        try SocketBench(Self.sockets, sockstat: Self.sockstat, sockstat6: Self.sockstat6)
    }

    @Test func establishedConnectionsAreCountedWithoutWalkingOverThem() throws {
        let bench = try bench()
        bench.collect()
        #expect(bench.count("established") == .unsigned(2))
        #expect(bench.count("close_wait") == .unsigned(1))
        #expect(bench.count("time_wait") == .unsigned(1))
        #expect(bench.count("listen") == .unsigned(1))
        #expect(bench.count("established", "tcp", "ipv6") == .unsigned(0))
        #expect(bench.count("unconnected", "udp") == .unsigned(1))
        #expect(bench.kernel.questions.allSatisfy { $0.transport == 17 || $0.states & 2 == 0 })
    }

    @Test func withoutSockstatTheyAreWalkedOver() throws {
        let bench = try SocketBench(Self.sockets)
        bench.collect()
        #expect(bench.count("established") == .unsigned(2))
        #expect(bench.kernel.questions.contains { $0.transport == 6 && $0.states & 2 != 0 })
    }

    @Test func withoutIPv6NothingIsToldOfIt() throws {
        let bench = try SocketBench(Self.sockets, sockstat: Self.sockstat)
        bench.collect()
        #expect(!bench.fake.lastCommit.keys.contains { $0.contains("network.type=ipv6") })
        #expect(bench.count("listen") == .unsigned(1))
    }

    @Test func numbersThatContradictEachOtherAreLeftOut() throws {
        let bench = try SocketBench(Self.sockets, sockstat: "TCP: inuse 1 orphan 0\n", sockstat6: Self.sockstat6)
        bench.collect()
        #expect(bench.count("established") == nil)
        #expect(bench.count("close_wait") == .unsigned(1))
    }

    @Test func statesAreToldOnlyWhenTheyWereWalked() throws {
        let bench = try bench()
        bench.cost = .milliseconds(250)
        bench.collect(interval: .seconds(10))
        #expect(bench.count("close_wait") != nil)
        for _ in 0..<2 {
            bench.collect()
            #expect(bench.count("close_wait") == nil)
            #expect(bench.fake.lastCommit["sonde.tcp.listener.queue.length{network.local.port=80}"] == .unsigned(3))
        }
        bench.collect()
        #expect(bench.count("close_wait") != nil)
    }

    @Test func theCostAndTheNextWalkAreTold() throws {
        let bench = try bench()
        bench.cost = .milliseconds(250)
        let values = bench.collect()
        #expect(values["sonde.source.walk.cpu_time{sonde.walk.method=netlink}"] == .double(0.25))
        #expect(values["sonde.source.walk.period{sonde.walk.method=netlink}"] == .double(25))
    }

    @Test func aListenerIsToldWithQueueLimitAndDrops() throws {
        let bench = try bench()
        bench.collect()
        bench.kernel.sockets[0].drops = 14
        let values = bench.collect()
        let prefix = "sonde.tcp.listener"
        #expect(values["\(prefix).queue.length{network.local.port=80}"] == .unsigned(3))
        #expect(values["\(prefix).queue.limit{network.local.port=80}"] == .unsigned(127))
        #expect(values["\(prefix).queue.utilization{network.local.port=80}"] == .double(3 / 128.0))
        #expect(values["\(prefix).drop{network.local.port=80}"] == .unsigned(4))
    }

    @Test func theSeriesOfAListenerThatIsGoneAreClosed() throws {
        let bench = try bench()
        bench.collect()
        bench.kernel.sockets.removeFirst()
        bench.collect()
        let listeners = bench.fake.series.filter { $0.specification.name.hasPrefix("sonde.tcp.listener.") }
        #expect(listeners.count == 4)
        #expect(listeners.allSatisfy { !$0.isOpen })
    }

    @Test func dropsOfDatagramsAreToldByPort() throws {
        let bench = try bench()
        for drops: UInt32 in [5, 8] {
            bench.kernel.sockets[5].drops = drops
            bench.collect()
        }
        let values = bench.fake.lastCommit
        #expect(values["sonde.udp.socket.drop{network.local.port=53}"] == .unsigned(3))
        #expect(values["sonde.udp.socket.queue{network.local.port=53}"] == .unsigned(512))
        #expect(values["sonde.udp.queue{network.io.direction=receive,network.type=ipv4}"] == .unsigned(512))
        let start = bench.fake.series.first {
            $0.specification.name == "sonde.udp.socket.drop"
                && $0.specification.attributes.contains(Attribute("network.local.port", "53"))
        }
        #expect(start?.specification.start == Timestamp(seconds: 2_000_000_010), "it counts from the walk before on")
    }

    @Test func aMissingModuleForUDPLeavesTCPAsItIs() throws {
        let bench = try bench()
        bench.kernel.knowsUDP = false
        for _ in 0..<2 { bench.collect() }
        #expect(bench.count("close_wait") == .unsigned(1))
        #expect(bench.fake.log.filter { $0.hasPrefix("warning: SND-PRC011") }.count == 1)
        let told = bench.fake.lastCommit.keys.filter { $0.contains("udp") }
        #expect(told.isEmpty, "there is no table of them either")
    }

    @Test func dropsThatTheKernelDoesNotTellAreAbsent() throws {
        let bench = try bench()
        for index in bench.kernel.sockets.indices { bench.kernel.sockets[index].drops = nil }
        let drops = bench.collect().keys.filter { $0.hasPrefix("sonde.udp.socket.drop{") }
        #expect(drops.isEmpty)
        for _ in 0..<2 { bench.collect() }
        #expect(bench.fake.lastCommit["sonde.udp.socket.drop{network.local.port=53}"] == nil)
        let other = bench.fake.lastCommit["sonde.udp.socket.drop{network.local.port=other}"]
        #expect(other == .unsigned(0), "there is no other port by now")
        #expect(!bench.fake.lastCommit.keys.contains { $0.hasPrefix("sonde.tcp.listener.drop{") })
        #expect(bench.fake.lastCommit["sonde.udp.socket.queue{network.local.port=53}"] == .unsigned(512))
        #expect(bench.fake.lastCommit["sonde.tcp.listener.queue.length{network.local.port=80}"] == .unsigned(3))
    }

    @Test func aCountThatIsNotToldForAWhileGoesOnInItsSeries() throws {
        let bench = try bench()
        var told: [SampleValue?] = []
        for drops in [5, 8, nil, 20] as [UInt32?] {
            bench.kernel.sockets[5].drops = drops
            told.append(bench.collect()["sonde.udp.socket.drop{network.local.port=53}"])
        }
        #expect(told == [nil, .unsigned(3), nil, .unsigned(15)])
        #expect(bench.fake.series.filter { $0.specification.name == "sonde.udp.socket.drop" }.count == 2)
    }

    @Test(arguments: [EPERM, EACCES, EAFNOSUPPORT]) func aRefusalLeadsToTheTables(number: Int32) throws {
        let bench = try bench()
        bench.kernel.refusal = number
        let line = "   1: 0:50 0:1 08 0:0 0:0 0 0 0 5 1\n"
        try Data("names\n\(line)".utf8).write(to: URL(filePath: "\(bench.tree.root)/net/tcp"))
        try Data("names\n".utf8).write(to: URL(filePath: "\(bench.tree.root)/net/udp"))
        bench.collect()
        #expect(bench.count("close_wait") == .unsigned(1))
        #expect(bench.fake.lastCommit["sonde.source.walk.period{sonde.walk.method=text}"] != nil)
        #expect(bench.fake.log.filter { $0.hasPrefix("warning: SND-PRC011") }.count == 1)
    }

    @Test(arguments: [EBUSY, ENOBUFS]) func aFailureThatLastsIsNotedOnceAndLeavesNothingBehind(number: Int32) throws {
        let bench = try bench()
        bench.kernel.refusal = number
        bench.collect()
        bench.collect()
        #expect(bench.fake.lastCommit.isEmpty)
        #expect(bench.fake.log.filter { $0.hasPrefix("warning: SND-PRC012") }.count == 1)
        bench.kernel.refusal = 0
        bench.collect()
        #expect(bench.count("close_wait") == .unsigned(1))
    }

    @Test func theHostsBoundOnSeriesIsCounted() throws {
        let bench = try bench()
        bench.fake.seriesBound = 3
        bench.collect()
        #expect(bench.fake.lastCommit.count == 3)
        #expect(bench.stage.problems(.seriesLimit) > 0)
    }
}
