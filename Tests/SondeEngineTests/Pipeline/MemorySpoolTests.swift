import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@Suite struct MemorySpoolTests {
    private let now = MonotonicInstant(nanoseconds: 1)

    @Test(arguments: SpoolStoreContract.Rule.allCases)
    func itKeepsTheContract(rule: SpoolStoreContract.Rule) throws {
        let contract = SpoolStoreContract { MemorySpool(epoch: "e", maxBytes: $0, overflow: $1) }
        try contract.check(rule)
    }

    @Test func aFrameLargerThanTheLogIsTakenByAnEmptyOne() {
        let spool = MemorySpool(epoch: "e", maxBytes: 100, overflow: .dropNewest)
        spool.addReader("a", .durable, wants: .metrics)
        #expect(spool.append(1...100, at: now) == [])
        #expect(spool.append(101...102, at: now) == nil)
        #expect(spool.drain("a") == Array(1...100))
        #expect(spool.append(101...102, at: now) == [])
    }

    @Test func manySmallFramesAreBoundedToo() {
        let spool = MemorySpool(epoch: "e", maxBytes: 64 << 10, overflow: .dropOldest)
        spool.addReader("a", .durable, wants: .metrics)
        for number in 1...2_000 as ClosedRange<UInt64> { spool.append(number...number, at: now) }
        #expect(spool.backlog(of: "a").count <= (64 << 10) / 200)
        #expect(spool.backlog(of: "a").bytes <= 64 << 10)
    }

    @Test func aDurableSinksAcknowledgementTakesNothingFromALiveOne() {
        let spool = MemorySpool(epoch: "e", maxBytes: 1 << 20, overflow: .dropOldest)
        spool.addReader("file", .durable, wants: .metrics)
        spool.addReader("console", .live, wants: .metrics)
        spool.append(1...5, at: now)
        #expect(spool.drain("file") == Array(1...5))
        #expect(spool.drain("console") == Array(1...5))
    }

    @Test func theBacklogKnowsWhenItsOldestCame() {
        let spool = MemorySpool(epoch: "e", maxBytes: 1 << 20, overflow: .dropOldest)
        spool.addReader("a", .durable, wants: .metrics)
        #expect(spool.backlog(of: "a").oldest == nil)
        spool.append(1...5, at: MonotonicInstant(nanoseconds: 10))
        spool.append(6...9, at: MonotonicInstant(nanoseconds: 20))
        #expect(spool.backlog(of: "a").oldest == MonotonicInstant(nanoseconds: 10))
        if let stretch = spool.cut(for: "a", maxCount: 5, maxBytes: .max) { spool.acknowledge(stretch, for: "a") }
        #expect(spool.backlog(of: "a").oldest == MonotonicInstant(nanoseconds: 20))
    }

    @Test func anUnknownSinkHasNothing() {
        let spool = MemorySpool(epoch: "e", maxBytes: 1 << 20, overflow: .dropOldest)
        spool.append(1...5, at: now)
        #expect(spool.backlog(of: "nobody") == Backlog())
        #expect(spool.cut(for: "nobody", maxCount: 1, maxBytes: 1) == nil)
        spool.acknowledge(Stretch(first: 1, last: .max), for: "nobody")
    }

    @Test func whatIsKeptCanBeLookedAtWhoeverWaitsForIt() {
        let spool = MemorySpool(epoch: "e", maxBytes: 1 << 20, overflow: .dropOldest)
        spool.addReader("file", .durable, wants: .metrics)
        spool.addReader("http", .durable, wants: .snapshots)
        let document = Document(schema: "s", time: Timestamp(seconds: 1), json: [])
        _ = spool.append((1...4).map { .numbered($0) }, documents: [document], at: now)
        #expect(spool.drain("file") == Array(1...4))
        #expect(spool.contents(from: 2, count: 2).points.map(\.value) == [.unsigned(2), .unsigned(3)])
        #expect(spool.contents(from: 2, count: 2).documents.isEmpty)
        #expect(spool.contents(from: 4, count: 9).points.map(\.value) == [.unsigned(4)])
        #expect(spool.contents(from: 4, count: 9).documents == [document])
        #expect(spool.contents(from: 1, count: 0).points.isEmpty)
        #expect(spool.contents(from: .max, count: .max).points.isEmpty)
    }

    @Test func contentsEndWhereAnotherResourceBegins() {
        let spool = MemorySpool(epoch: "e", maxBytes: 1 << 20, overflow: .dropOldest)
        spool.addReader("a", .durable, wants: .metrics)
        for (host, numbers) in [("old", 1...3), ("new", 4...6), ("old", 7...8)] as [(String, ClosedRange<UInt64>)] {
            spool.resource = Resource(host: host)
            spool.append(numbers, at: now)
        }
        let part = spool.contents(from: 2, count: 20)
        #expect(part.resource.host == "old")
        #expect(part.last == 3)
        #expect(part.points.compactMap(\.number) == [2, 3])
        let next = spool.contents(from: part.last + 1, count: 20)
        #expect(next.resource.host == "new")
        #expect(next.last == 6)
        #expect(next.points.compactMap(\.number) == [4, 5, 6])
    }
}
