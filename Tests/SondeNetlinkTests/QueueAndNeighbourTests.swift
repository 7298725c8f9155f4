import Glibc
import SondeNetlink
import SondeTestKit
import Testing

@Suite struct QueueAndNeighbourTests {
    private static func queue(_ parent: UInt32, _ kind: String) -> [UInt8] {
        var statistics = NetlinkBuilder()
        statistics.attribute(1, NetlinkBuilder.bytes(UInt64(6_000_000_000)) + NetlinkBuilder.bytes(UInt32(7)))
        statistics.attribute(8, number: UInt64(5_000_000_000))
        statistics.attribute(3, [3, 900, 11, 12, 13].flatMap { NetlinkBuilder.bytes(UInt32($0)) })
        var datagram = NetlinkBuilder()
        let fixed = [0, 0, 0, 0] + NetlinkBuilder.bytes(Int32(2)) + [0, 0, 0, 0] + NetlinkBuilder.bytes(parent)
        datagram.message(36, sequence: 1, fixed: fixed + [0, 0, 0, 0]) {
            $0.attribute(1, text: kind)
            $0.attribute(7, statistics.bytes)
        }
        return datagram.bytes
    }

    private static func neighbour(_ family: UInt8, _ state: UInt16) -> [UInt8] {
        var datagram = NetlinkBuilder()
        let fixed = [family, 0, 0, 0] + NetlinkBuilder.bytes(Int32(2)) + NetlinkBuilder.bytes(state) + [0, 1]
        datagram.message(28, sequence: 1, fixed: fixed)
        return datagram.bytes
    }

    private static var end: [UInt8] {
        var datagram = NetlinkBuilder()
        datagram.end(sequence: 1)
        return datagram.bytes
    }

    private static func queues(_ bytes: [UInt8]) throws -> [QueueReport] {
        try LinkReader(NetlinkScript([bytes])).queues(from: []) { $0.append($1) }.value
    }

    private static func neighbours(_ bytes: [UInt8]) throws -> [NeighbourReport] {
        try LinkReader(NetlinkScript([bytes])).neighbours(from: []) { $0.append($1) }.value
    }

    @Test func aQueueTellsWhatPassedWhatWaitsAndWhatWasDropped() throws {
        let found = try Self.queues(Self.queue(0xffff_ffff, "fq_codel") + Self.end)
        let queue = try #require(found.first)
        #expect(found.count == 1)
        #expect((queue.index, queue.kind) == (2, "fq_codel"))
        #expect((queue.bytes, queue.packets) == (6_000_000_000, 5_000_000_000))
        #expect((queue.length, queue.backlog, queue.drops) == (3, 900, 11))
        #expect((queue.requeues, queue.overlimits) == (12, 13))
    }

    @Test func partsOfAnotherQueueAreLeftOut() throws {
        let found = try Self.queues(
            Self.queue(0xffff_ffff, "mq") + Self.queue(1, "fq_codel") + Self.queue(0xffff_fff1, "clsact") + Self.end
        )
        #expect(found.map(\.kind) == ["mq", "clsact"])
    }

    @Test func neighboursTellFamilyAndState() throws {
        let found = try Self.neighbours(
            Self.neighbour(2, 0x02) + Self.neighbour(10, 0x80) + Self.neighbour(7, 0x02) + Self.neighbour(2, 0)
                + Self.end
        )
        #expect(found.map(\.state) == [.reachable, .permanent])
        #expect(found.map(\.family) == [.ipv4, .ipv6])
    }

    @Test func answersCutAtAnyByteAreReadWithoutATrap() throws {
        let queue = Self.queue(0xffff_ffff, "tbf") + Self.end
        let neighbour = Self.neighbour(2, 4) + Self.end
        for length in 0..<queue.count { #expect((try? Self.queues(Array(queue.prefix(length)))) == nil) }
        for length in 0..<neighbour.count { #expect((try? Self.neighbours(Array(neighbour.prefix(length)))) == nil) }
    }

    @Test func attributesCutAtAnyByteAreReadWithoutATrap() throws {
        let whole = Self.queue(0xffff_ffff, "tbf")
        for length in 16..<whole.count where length % 4 == 0 {
            var cut = Array(whole.prefix(length))
            cut.replaceSubrange(0..<4, with: NetlinkBuilder.bytes(UInt32(length)))
            let found = try Self.queues(cut + Self.end)
            #expect(found.allSatisfy { $0.drops == nil || $0.drops == 11 })
        }
    }
}
