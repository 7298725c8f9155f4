import SondeDomain
import SondeNetlink
import SondeTestKit
import Testing

@testable import ProcNetPlugin

@Suite struct ConnectionDetailTests {
    private static func information(rtt: UInt32, retransmitted: UInt32, received: UInt64) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 232)
        bytes.replaceSubrange(68..<72, with: NetlinkBuilder.bytes(rtt))
        bytes.replaceSubrange(100..<104, with: NetlinkBuilder.bytes(retransmitted))
        bytes.replaceSubrange(128..<136, with: NetlinkBuilder.bytes(received))
        return bytes
    }

    private static let sockets =
        [FakeSocket(.listen, port: 443), FakeSocket(.closeWait, port: 443)]
        + (1...100 as ClosedRange<UInt32>).map { number in
            FakeSocket(.established, port: 443).with {
                $0.cgroup = number <= 60 ? 7 : 8
                $0.information = information(rtt: number * 1_000, retransmitted: number % 2, received: 10)
            }
        } + [
            FakeSocket(.established, port: 50_000).with {
                $0.family = .ipv6
                $0.cgroup = 9
            }
        ]

    private func bench() throws -> SocketBench {
        try SocketBench(
            Self.sockets,
            sockstat: "TCP: inuse 102 orphan 0\n",
            sockstat6: "TCP6: inuse 1\n",
            extent: .detail
        )
    }

    @Test func roundTripsAreToldByListeningPort() throws {
        let values = try bench().collect()
        #expect(values["sonde.tcp.connection.current{network.local.port=443}"] == .unsigned(100))
        #expect(values["sonde.tcp.connection.current{network.local.port=other}"] == .unsigned(1))
        for (part, seconds) in [("p50", 0.05), ("p95", 0.095), ("p99", 0.099), ("max", 0.1)] {
            guard case .double(let found)? = values["sonde.tcp.connection.rtt.\(part){network.local.port=443}"] else {
                Issue.record("no \(part)")
                continue
            }
            #expect(abs(found - seconds) <= seconds * 0.032, "\(part)")
        }
        #expect(values["sonde.tcp.connection.retransmitted.p99{network.local.port=443}"] == .double(1))
        #expect(values["sonde.tcp.connection.rtt.p50{network.local.port=other}"] == nil, "not measured is not 0")
        #expect(values["sonde.tcp.connection.delivery_rate.p50{network.local.port=443}"] == nil)
    }

    @Test func establishedConnectionsAreThoseThatWereSeen() throws {
        let bench = try bench()
        bench.collect()
        #expect(bench.count("established") == .unsigned(100))
        #expect(bench.count("established", "tcp", "ipv6") == .unsigned(1))
        #expect(bench.count("close_wait") == .unsigned(1))
    }

    @Test func cgroupsThatNobodyCanNameAreOther() throws {
        let values = try bench().collect()
        #expect(values["sonde.cgroup.connection.current{sonde.cgroup=other}"] == .unsigned(101))
        let io = "sonde.cgroup.connection.io.current{network.io.direction=receive,sonde.cgroup=other}"
        #expect(values[io] == nil, "of one connection nothing is known")
    }

    @Test func bytesOfACgroupAreKnownWhenTheyAreOfEveryConnection() throws {
        let bench = try SocketBench(
            Array(Self.sockets.dropLast()), sockstat: "TCP: inuse 102 orphan 0\n", extent: .detail)
        let values = bench.collect()
        let suffix = "sonde.cgroup=other}"
        #expect(values["sonde.cgroup.connection.io.current{network.io.direction=receive,\(suffix)"] == .unsigned(1_000))
        #expect(values["sonde.cgroup.connection.io.current{network.io.direction=transmit,\(suffix)"] == .unsigned(0))
    }

    @Test func aKernelWhoseStructEndsBeforeTheBytesTellsNone() throws {
        let short = Self.sockets.dropLast().map { socket in
            socket.with { $0.information = Array($0.information.prefix(130)) }
        }
        let values = try SocketBench(short, sockstat: "TCP: inuse 102 orphan 0\n", extent: .detail).collect()
        #expect(values["sonde.cgroup.connection.current{sonde.cgroup=other}"] == .unsigned(100))
        let way = "sonde.cgroup=other}"
        #expect(values["sonde.cgroup.connection.io.current{network.io.direction=receive,\(way)"] == nil)
        #expect(values["sonde.cgroup.connection.io.current{network.io.direction=transmit,\(way)"] == .unsigned(0))
    }

    @Test func theCgroupsWithTheMostConnectionsAreNamed() {
        var detail = ConnectionDetail(listening: [])
        for number in 0..<50 as Range<UInt64> {
            for _ in 0...number { detail.add(port: 1, cgroup: number, nil) }
        }
        detail.add(port: 1, cgroup: nil, nil)
        let found = detail.named(limit: 32) { $0 == 49 ? nil : "unit-\($0 / 2)" }
        #expect(found.named.count == 25)
        #expect(found.named.first?.name == "unit-23")
        #expect(found.other.count == 51)
        let few = detail.named(limit: 3) { "\($0)" }
        #expect(few.named.map(\.sum.count) == [50, 49, 48])
        #expect(few.named.reduce(few.other.count) { $0 + $1.sum.count } == 1_276)
    }

    @Test func portsAndCgroupsAreBounded() {
        var detail = ConnectionDetail(listening: 1...1_000)
        for number in 1...10_000 as ClosedRange<UInt64> {
            detail.add(port: UInt16(number % 1_000 + 1), cgroup: number, nil)
        }
        #expect(detail.ports.count <= ConnectionDetail.portLimit + 1)
        #expect(detail.cgroups.count == ConnectionDetail.cgroupLimit)
        #expect(detail.ports.values.reduce(0) { $0 + $1.count } == 10_000)
        #expect(detail.otherCgroups.count == UInt64(10_000 - ConnectionDetail.cgroupLimit))
    }
}
