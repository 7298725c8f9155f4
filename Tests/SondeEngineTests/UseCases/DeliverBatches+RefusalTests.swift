import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

@Suite struct DeliverBatchesRefusalTests {
    @Test func refusedDataIsSetAsideAndTheNextOfferedAtOnce() {
        let bench = SinkBench(.fake(samples: 10)) { batch, _, _ throws(SondeError) in
            guard !batch.numbers.contains(13) else { throw .fake(.permanentData) }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        bench.commit(30)
        bench.run(for: .zero)
        #expect(bench.deliveredNumbers == Array(1...10) + Array(21...30))
        #expect(bench.ledger.count(component: "sink", reason: "refused_by_receiver") == 10)
        #expect(bench.useCase.status.refusedPoints == 10)
        #expect(bench.useCase.waiting == 0)
    }

    @Test func aBacklogThatIsTooOldIsCountedAndWhatFollowsIsDelivered() {
        var configuration = SinkConfiguration.fake(samples: 10)
        // Point n is n seconds after 1970.
        let limit = Timestamp(seconds: 26)
        configuration.maxSampleAge = Nanoseconds(ManualClock().wallTime.nanoseconds - limit.nanoseconds)
        let bench = SinkBench(configuration) { _, _, _ throws(SondeError) in
            .delivered(rejectedPoints: 0, reason: "")
        }
        bench.commit(30)
        bench.run(for: .zero)
        #expect(bench.deliveredNumbers == Array(26...30))
        #expect(bench.ledger.count(component: "sink", reason: "too_old_for_sink") == 25)
        #expect(bench.useCase.waiting == 0)
    }

    @Test func twentyRefusalsInARowHoldTheSinkAndSaySo() {
        let bench = SinkBench(.fake(samples: 10)) { _, _, _ throws(SondeError) in throw .fake(.permanentData) }
        bench.commit(1_000)
        bench.run(for: .seconds(200))
        #expect(bench.offers.count == 20)
        #expect(bench.ledger.count(component: "sink", reason: "refused_by_receiver") == 190)
        #expect(bench.useCase.waiting == 810)
        // The refusal, what became of the batch, and that the sink is held.
        #expect(bench.log.lines(.error).count == 3)
        bench.run(for: .seconds(200))
        #expect(bench.offers.count == 21)
        #expect(bench.sink.offered[20].identity == bench.sink.offered[19].identity)
    }

    @Test func anAcceptanceInBetweenBeginsANewRowOfRefusals() {
        let bench = SinkBench(.fake(samples: 10)) { _, number, _ throws(SondeError) in
            guard number.isMultiple(of: 10) else { throw .fake(.permanentData) }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        bench.commit(1_000)
        bench.run(for: .zero)
        #expect(bench.offers.count == 100)
        #expect(bench.useCase.waiting == 0)
    }

    @Test func pointsThatAreTakenOutOfEachBatchAreLoggedOnceInTenMinutes() {
        let last: UInt64 = 1_300
        let bench = SinkBench(.fake(samples: 2)) { batch, number, _ in
            .delivered(rejectedPoints: number <= last ? 1 : 0, reason: "no \(number)")
        }
        func run(_ batches: UInt64) -> [String] {
            let before = bench.log.lines.count
            for _ in 0..<batches {
                bench.commit(2)
                bench.run(for: .seconds(1))
            }
            return bench.log.lines[before...].compactMap { $0.error?.message ?? $0.message }
        }
        #expect(run(600).filter { $0.contains("took out") } == ["the receiver took out 1 point: no 1"])
        #expect(
            run(700).filter { $0.contains("took out") } == [
                "the receiver took out 1 point: no 601 (600 times since the last line about it)",
                "the receiver took out 1 point: no 1201 (600 times since the last line about it)",
            ])
        #expect(run(59).isEmpty)
        #expect(run(2) == ["recovered from SND-PLG025"])
        #expect(bench.useCase.status.rejectedPoints == last)
        #expect(bench.ledger.count(component: "sink", reason: "rejected_by_receiver") == last)
    }

    @Test func emptyStretchesEndNoRowOfRefusals() {
        let bench = SinkBench(.fake(samples: 10, include: ["test.number"])) { _, _, _ throws(SondeError) in
            throw .fake(.permanentData)
        }
        let other = Series(id: SeriesID(rawValue: 9), source: "s", name: "other", kind: .gauge, unit: "1")
        for _ in 0..<30 {
            bench.commit(10)
            let point = SpooledPoint(series: other, time: Timestamp(seconds: 1), start: nil, value: .unsigned(1))
            _ = bench.pipeline.submit(Array(repeating: point, count: 10), documents: [])
        }
        bench.run(for: .zero)
        #expect(bench.offers.count == 20)
    }

    @Test func aBatchThatIsTooLargeIsCutUntilItFits() {
        let bench = SinkBench(.fake(samples: 64)) { batch, _, _ throws(SondeError) in
            guard batch.entries.count <= 10 else { throw .fake(.tooLarge) }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        bench.commit(200)
        bench.run(for: .zero)
        bench.run(for: .seconds(1))
        #expect(bench.deliveredNumbers == Array(1...200))
        #expect(bench.ledger.all.isEmpty)
        #expect(bench.sink.offered.prefix(4).map(\.entries.count) == [64, 32, 16, 8])
        #expect(bench.sink.offered.dropFirst(3).allSatisfy { $0.entries.count <= 8 })
    }

    @Test func stretchesStillFollowEachOtherWithoutAGap() {
        let bench = SinkBench(.fake(samples: 64)) { batch, _, _ throws(SondeError) in
            guard batch.entries.count <= 10 else { throw .fake(.tooLarge) }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        bench.commit(200)
        bench.run(for: .seconds(1))
        var next: UInt64 = 1
        for batch in bench.sink.delivered {
            #expect(batch.identity.first == next)
            next = batch.identity.last + 1
        }
        #expect(next == 201)
    }

    @Test func aSinglePointThatIsTooLargeIsSetAside() {
        let bench = SinkBench(.fake(samples: 64)) { batch, _, _ throws(SondeError) in
            guard !batch.numbers.contains(20) else { throw .fake(.tooLarge) }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        bench.commit(64)
        bench.run(for: .seconds(5))
        #expect(bench.deliveredNumbers == Array(1...19) + Array(21...64))
        #expect(bench.ledger.count(component: "sink", reason: "refused_by_receiver") == 1)
    }

    @Test func afterOneLargePointBatchesGrowAgain() {
        let bench = SinkBench(.fake(samples: 64)) { batch, _, _ throws(SondeError) in
            guard !batch.numbers.contains(1) else { throw .fake(.tooLarge) }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        bench.commit(20_000)
        bench.run(for: .seconds(5))
        #expect(bench.deliveredNumbers.count == 19_999)
        #expect(bench.sink.offered.suffix(2).map(\.entries.count).max() == 64)
    }

    @Test func aReceiverThatFindsEveryPointTooLargeIsHeld() {
        let bench = SinkBench(.fake(samples: 64)) { _, _, _ throws(SondeError) in throw .fake(.tooLarge) }
        bench.commit(1_000)
        bench.run(for: .seconds(120))
        #expect(bench.offers.count < 40)
        #expect(bench.useCase.waiting > 970)
    }

    @Test func aStretchUnderWayCanBeCutAfterOverflow() {
        let spool = MemorySpool(epoch: "epoch", maxBytes: 8 << 10, overflow: .dropOldest)
        let bench = SinkBench(.fake(samples: 20), spool: spool) { batch, number, _ throws(SondeError) in
            guard number > 1 else { throw .fake(.transient) }
            guard batch.entries.count <= 10 else { throw .fake(.tooLarge) }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        bench.commit(20)
        bench.run(for: .zero)
        for _ in 0..<50 { bench.commit(20) }
        bench.run(for: .seconds(60))
        let lost = bench.ledger.count(component: "sink", reason: "spool_overflow")
        #expect(bench.deliveredNumbers.prefix(20) == Array(1...20)[...])
        #expect(lost > 0)
        #expect(UInt64(bench.deliveredNumbers.count) + lost == 1_020)
    }

    @Test func refusedDocumentsAreCountedToo() {
        let bench = SinkBench(wants: .snapshots) { _, _, _ throws(SondeError) in throw .fake(.permanentData) }
        bench.commit(0, documents: [Document(schema: "s", time: Timestamp(seconds: 9), json: Array("{}".utf8))])
        bench.run(for: .seconds(2))
        #expect(bench.ledger.count(component: "sink", reason: "refused_by_receiver") == 1)
        #expect(bench.ledger.all.first?.from == Timestamp(seconds: 9))
    }

    @Test func aBatchThatCannotBeMadeShorterYetIsNotOfferedMeanwhile() {
        let spool = TroubledSpool()
        let bench = SinkBench(.fake(samples: 64), spool: spool) { batch, _, _ throws(SondeError) in
            guard batch.entries.count <= 32 else { throw .fake(.tooLarge) }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        spool.change { $0.failingShortens = 10 }
        bench.commit(64)
        bench.run(for: .milliseconds(9_900))
        #expect(bench.offers.count == 1)
        #expect(bench.steps < 25, "\(bench.steps) steps")
        bench.run(for: .seconds(1))
        #expect(bench.sink.offered.map(\.entries.count) == [64, 32, 32])
        #expect(bench.deliveredNumbers == Array(1...64))
    }

    @Test func whatBecameOfARefusedBatchIsToldOnceInARow() {
        let archive = BoundedArchive(room: 3)
        let bench = SinkBench(.fake(samples: 10), deadLetters: archive) { batch, _, _ throws(SondeError) in
            guard batch.numbers.contains(100) else { throw .fake(.permanentData, code: "SND-HTTP400") }
            return .delivered(rejectedPoints: 0, reason: "")
        }
        bench.commit(100)
        bench.run(for: .zero)
        let told = bench.log.lines(.error).compactMap(\.error).filter { $0.code == .batchRefused }
        #expect(
            told.map(\.message) == [
                "batch agent/epoch/1-10 with 10 points was refused (SND-HTTP400) and is kept as a dead letter",
                "batch agent/epoch/31-40 with 10 points was refused (SND-HTTP400) and is lost: "
                    + "it could not be kept as a dead letter",
            ])
        #expect(told.allSatisfy { $0.component == "sink" && $0.failureClass == .permanentData })
        #expect(bench.useCase.status.deadLetteredPoints == 30)
        #expect(bench.ledger.count(component: "sink", reason: "refused_by_receiver") == 60)
    }

    @Test func aRefusedBatchWithoutAFolderForDeadLettersIsToldAsLost() {
        let bench = SinkBench(.fake(samples: 10)) { _, _, _ throws(SondeError) in throw .fake(.permanentData) }
        bench.commit(10)
        bench.run(for: .zero)
        let told = bench.log.lines(.error).compactMap(\.error).filter { $0.code == .batchRefused }
        #expect(told.map { $0.message.hasSuffix("is lost: no dead letters are kept") } == [true])
    }
}

/// Dead letters for so many batches and no more.
private final class BoundedArchive: DeadLetterStore {
    private var room: Int

    init(room: Int) {
        self.room = room
    }

    func keep(_ batch: Batch, because error: SondeError, at time: Timestamp) -> Bool {
        room -= 1
        return room >= 0
    }
}
