import Foundation
import SondeNetlink
import SondeTestKit
import Testing

@testable import ProcNetPlugin

@Suite struct SocketTextTests {
    private static let names =
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
    private static let tcp =
        names
            + """
               0: 0100007F:1F90 00000000:0000 0A 00000000:00000003 00:00000000 00000000     0        0 1131 1 0 100 0 0 10 0
               1: 0100007F:1F90 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 1132 1 0 20 4 30 10 -1
               2: 0100007F:9C40 0100007F:1F90 08 00000000:00000001 00:00000000 00000000     0        0 1133 1 0 20 4 30 10 -1
               3: 0100007F:9C41 0100007F:1F90 06 00000000:00000000 03:00000ABC 00000000     0        0 0 3 0

            """
    private static let tcp6 =
        names
            + """
               0: 00000000000000000000000000000000:0016 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1134 1 0 100 0 0 10 0

            """
    private static let udp =
        "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops\n"
        + "  123: 0100007F:0035 00000000:0000 07 00000010:00000A00 00:00000000 00000000     0        0 1135 2 0 42\n"

    private func tree(_ files: [String: String]) throws -> ProcTree {
        let tree = try ProcTree()
        for (name, text) in files { try Data(text.utf8).write(to: URL(filePath: "\(tree.root)/net/\(name)")) }
        return tree
    }

    private func read(
        _ tree: ProcTree,
        _ transport: SocketText.Transport
    ) throws -> (walk: SocketWalk, listeners: ListenerTable, families: [SocketFamily], problems: UInt64) {
        var walk = SocketWalk()
        var listeners = ListenerTable()
        var problems = InputProblemCounts()
        let families = try SocketText(proc: tree.root).read(
            transport,
            into: &walk,
            listeners: &listeners,
            problems: &problems
        )
        return (walk, listeners, families, problems.total)
    }

    @Test func connectionsAreCountedByStateAndFamily() throws {
        let found = try read(tree(["tcp": Self.tcp, "tcp6": Self.tcp6]), .tcp)
        #expect(found.walk.tcp[.ipv4, .established] == 1)
        #expect(found.walk.tcp[.ipv4, .closeWait] == 1)
        #expect(found.walk.tcp[.ipv4, .timeWait] == 1)
        #expect(found.walk.tcp[.ipv6, .listen] == 1)
        #expect(found.listeners.ports == [8_080: ListenerTable.Port(queue: 3), 22: ListenerTable.Port()])
        #expect(found.families == [.ipv4, .ipv6])
        #expect(found.problems == 0)
    }

    @Test func datagramSocketsTellQueuesAndDrops() throws {
        let found = try read(tree(["udp": Self.udp]), .udp)
        #expect(found.walk.udp[.ipv4, .closed] == 1)
        #expect(found.walk.ports.ports == [53: PortSums.Sum(drops: KnownSum(42), queue: 0xA00)])
        #expect(found.walk.queues[0] == SocketWalk.Queues(receive: 0xA00, transmit: 0x10))
        #expect(found.families == [.ipv4])
    }

    @Test func aLineWithoutDropsIsNoSocketWithoutDrops() throws {
        let old = Self.udp.replacingOccurrences(of: " 2 0 42\n", with: "\n")
        let found = try read(tree(["udp": old]), .udp)
        #expect(found.walk.ports.ports == [53: PortSums.Sum(drops: KnownSum(nil), queue: 0xA00)])
    }

    @Test func withoutAnyTableNothingIsKnown() throws {
        let tree = try tree([:])
        #expect(throws: ReadFailure.absent) { try read(tree, .tcp) }
    }

    @Test(arguments: [("tcp", Self.tcp, 4), ("tcp6", Self.tcp6, 1)])
    func aTableCutAtAnyByteGivesWholeLinesOnly(name: String, text: String, sockets: UInt64) throws {
        let bytes = Array(text.utf8)
        for length in 0...bytes.count {
            let tree = try tree([name: String(decoding: bytes.prefix(length), as: UTF8.self)])
            let walk = try read(tree, .tcp).walk
            let seen = SocketFamily.allCases.flatMap { family in SocketState.allCases.map { walk.tcp[family, $0] } }
            let lines = UInt64(bytes.prefix(length).count { $0 == UInt8(ascii: "\n") })
            #expect(seen.reduce(0, +) == (lines == 0 ? 0 : lines - 1), "cut at \(length)")
        }
    }

    @Test func aLongTableIsReadThroughASmallBuffer() throws {
        let line =
            "   1: 0100007F:1F90 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 1132 1 0\n"
        let found = try read(tree(["tcp": Self.names + String(repeating: line, count: 5_000)]), .tcp)
        #expect(found.walk.tcp[.ipv4, .established] == 5_000)
        #expect(found.problems == 0)
    }

    @Test func aLineThatIsNoneIsCounted() throws {
        let odd = [
            "x", "1: zz:1 0:0 01 0:0", "1: 0:10000 0:0 01 0:0", "1: 0:1 0:0 0F 0:0", "1: 0:1 0:0 01",
            "1 0:1 0:0 01 0:0",
            "1: 0:1 0 01 0:0", "1: 0:11111111111111111 0:0 01 0:0", String(repeating: "9", count: 70_000),
        ]
        let found = try read(tree(["tcp": Self.names + odd.joined(separator: "\n") + "\n"]), .tcp)
        #expect(found.problems >= UInt64(odd.count - 1))
        #expect(found.walk.tcp == SocketCounts())
    }

    @Test func noiseIsReadWithoutATrap() throws {
        var random = SeededGenerator(seed: 11)
        let alphabet = Array(" \t\n:0123456789ABCDEFabcdefx-".utf8) + [0, 0xff]
        for _ in 0..<2_000 {
            let bytes = (0..<120).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            _ = bytes.withUnsafeBytes { SocketLine($0) }
        }
        var line = Array(Self.udp.split(separator: "\n")[1].utf8)
        for _ in 0..<5_000 {
            line[Int.random(in: line.indices, using: &random)] = alphabet.randomElement(using: &random) ?? 0
            _ = line.withUnsafeBytes { SocketLine($0) }
        }
    }

    @Test(arguments: [
        ("TCP: inuse 42 orphan 1\n", 42), ("sockets: used 5\nTCP: inuse 7 orphan 0\n", 7), ("TCP: inuse 4", nil),
        ("TCP: inuse -4 x\n", nil), ("TCP: orphan 4 inuse 3\n", nil), ("TCP6: inuse 4\n", nil), ("", nil),
        ("TCP: inuse 99999999999999999999 x\n", nil), ("TCP:", nil),
    ])
    func socketsInUseAreReadFromSockstat(text: String, number: UInt64?) {
        let found = Array(text.utf8).withUnsafeBytes { SocketsInUse.inUse("TCP:", $0) }
        #expect(found == number)
    }
}
