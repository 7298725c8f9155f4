import SondeDomain
import SondeEngine
import SondeFormats
import SondeTestKit
import Testing

@testable import SondeGateways

/// Labels and versions that change under points that wait.
@Suite struct DiskSpoolResourceTests {
    private static let before = Resource(host: "h", agentVersion: "1.0", labels: [Attribute("site", "fra1")])
    private static let after = Resource(host: "h", agentVersion: "1.1", labels: [Attribute("site", "ams2")])

    /// The body and resource of every batch that waits.
    private func bodies(_ spool: any SpoolStore, upTo count: Int = .max) -> [(resource: Resource, body: [UInt8])] {
        var bodies: [(resource: Resource, body: [UInt8])] = []
        while bodies.count < count, let stretch = spool.cut(for: "a", maxCount: 10, maxBytes: .max) {
            let contents = spool.read(stretch, for: "a")
            let identity = BatchIdentity(agent: "agent", epoch: spool.epoch, first: stretch.first, last: stretch.last)
            let batch = Batch(
                contents.points, contents.documents, identity, sink: "a", resource: contents.resource)
            var (encoder, buffer) = (JSONLineEncoder(), ByteBuffer())
            _ = encoder.encode(batch, into: &buffer)
            bodies.append((batch.resource, buffer.bytes))
            guard bodies.count < count else { break }
            spool.acknowledge(stretch, for: "a")
        }
        return bodies
    }

    @Test func whatWasOfferedBeforeARestartWithOtherLabelsAndAnotherVersionComesAgainByteForByte() throws {
        var fixture = SpoolFixture()
        fixture.settings.resource = Self.before
        var spool: DiskSpool? = try fixture.openWithReader()
        spool?.take(1...15)
        let offered = bodies(try #require(spool), upTo: 1)
        fixture.disk.killProcess()
        spool = nil
        fixture.settings.resource = Self.after
        let again = try fixture.openWithReader()
        again.take(16...25)
        let bodies = bodies(again)
        #expect(bodies.map(\.resource) == [Self.before, Self.before, Self.after])
        #expect(bodies.first?.body == offered.first?.body)
        let lines = bodies.map { $0.body.split(separator: 0x0a).count }
        #expect(lines == [10, 5, 10])
    }

    @Test func aRestartWithTheSameResourceCutsNoBatchShort() throws {
        var fixture = SpoolFixture()
        fixture.settings.resource = Self.before
        try fixture.openWithReader().take(1...5)
        fixture.disk.killProcess()
        let again = try fixture.openWithReader()
        again.take(6...10)
        #expect(bodies(again).map(\.resource) == [Self.before])
    }

    @Test func whatMemoryHoldsForADiskWithoutRoomKeepsItsResourceToo() throws {
        let fixture = SpoolFixture()
        let spool = try fixture.openWithReader()
        spool.take(1...3)
        fixture.disk.quota = fixture.disk.usedBytes
        for (index, resource) in [Self.before, Self.after, Self.before].enumerated() {
            spool.resource = resource
            spool.take(UInt64(index * 3 + 4)...UInt64(index * 3 + 6))
        }
        #expect(spool.isFull)
        #expect(bodies(spool, upTo: 2).map(\.resource) == [Resource(), Self.before])
        fixture.disk.quota = nil
        spool.sync()
        #expect(!spool.isFull)
        fixture.disk.killProcess()
        let again = try fixture.openWithReader()
        #expect(bodies(again).map(\.resource) == [Self.before, Self.after, Self.before])
    }

    @Test func aChangeMakesNoSegmentBeforeAnythingIsAppended() throws {
        let fixture = SpoolFixture()
        let spool = try fixture.openWithReader()
        spool.take(1...3)
        for version in 1...5 { spool.resource = Resource(agentVersion: "\(version)") }
        #expect(fixture.segments.count == 1)
    }
}
