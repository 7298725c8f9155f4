import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

/// Stretches of a log that keeps what was delivered, of which numbers 1 to 20 were.
@Suite struct ReplayBatchesTests {
    private let spool = KeepingSpool()
    private let bench: OrderBench

    init() {
        bench = OrderBench(.fake(samples: 5), spool: spool)
        bench.sink.commit(20)
        bench.sink.run(for: .seconds(10))
    }

    /// What was delivered since the beginning of a test.
    private var replayed: [Batch] { Array(bench.sink.sink.delivered.dropFirst(4)) }

    private func replay(_ first: UInt64, _ last: UInt64) throws -> SinkOrderReport? {
        let order = try bench.orders.add(.replayStretch(Stretch(first: first, last: last)))
        bench.sink.run(for: .seconds(10))
        return bench.report(order)
    }

    @Test func aStretchIsDeliveredOnceMoreInBatchesOfTheSinksSize() throws {
        let report = try replay(3, 19)
        #expect(report?.state == .done)
        #expect(report?.batches == 4 && report?.points == 17)
        #expect(replayed.map(\.identity.first) == [3, 8, 13, 18])
        #expect(replayed.map(\.identity.last) == [7, 12, 17, 19])
        #expect(replayed.flatMap(\.numbers) == Array(3...19))
        #expect(bench.sink.useCase.waiting == 0)
    }

    @Test func aBatchEndsWhereTheLabelsOfTheAgentChanged() throws {
        spool.resource = Resource(host: "h", agentVersion: "2")
        bench.sink.commit(10)
        bench.sink.run(for: .seconds(10))
        let live = bench.sink.sink.delivered.count
        let order = try bench.orders.add(.replayStretch(Stretch(first: 18, last: 26)))
        bench.sink.run(for: .seconds(10))
        #expect(bench.report(order)?.state == .done)
        let replayed = bench.sink.sink.delivered.dropFirst(live)
        #expect(replayed.map(\.identity.first) == [18, 21, 26])
        #expect(replayed.map(\.identity.last) == [20, 25, 26])
        #expect(replayed.map(\.resource.agentVersion) == ["", "2", "2"])
    }

    @Test func aStretchOfWhichSomethingIsGoneIsNotReplayed() throws {
        spool.forget(1)
        let report = try replay(8, 20)
        #expect(report?.state == .failed)
        #expect(report?.failure?.code == .spoolRangeGone)
        #expect(report?.failure?.message.contains("number 8 ") == true)
        #expect(replayed.isEmpty)
    }

    @Test func theRestOfAStretchThatGoesMeanwhileIsNotReplayed() throws {
        bench.sink.commit(20)
        bench.sink.run(for: .seconds(10))
        let live = bench.sink.sink.delivered.count
        let order = try bench.orders.add(.replayStretch(Stretch(first: 6, last: 29)))
        while bench.sink.sink.delivered.count == live { _ = bench.sink.useCase.step() }
        spool.forget(2)
        bench.sink.run(for: .seconds(10))
        #expect(bench.report(order)?.state == .failed)
        #expect(bench.report(order)?.points == 5)
        #expect(bench.report(order)?.failure?.message.contains("number 11 ") == true)
    }

    @Test func whatIsRemovedWhileItIsReadIsNoBatchWithoutPoints() throws {
        spool.forgetAtRead(1)
        let report = try replay(1, 5)
        #expect(report?.state == .failed)
        #expect(report?.failure?.code == .spoolRangeGone)
        #expect(replayed.isEmpty)
    }

    @Test func whatTheSinkHasNotSeenYetIsNotReplayed() throws {
        let report = try replay(18, 21)
        #expect(report?.state == .failed)
        #expect(report?.failure?.message.contains("is not past 21") == true)
        #expect(replayed.isEmpty)
    }
}
