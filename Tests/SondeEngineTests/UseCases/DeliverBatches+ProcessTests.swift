import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

/// A sink whose instance has a process to itself, which may end at any time.
@Suite struct DeliverBatchesProcessTests {
    private let gone = SondeError.fake(.transient, stage: .deliver)

    @Test func aProcessThatHasEndedIsStartedAnewAndNothingIsLost() {
        let bench = SinkBench()
        bench.useCase.ended = EndNotice(wakeup: bench.wakeup)
        bench.commit(3)
        bench.run(for: .seconds(5))
        #expect(bench.sink.startCount == 1)
        #expect(!bench.useCase.hasNews)
        bench.useCase.ended?.give(gone)
        #expect(bench.useCase.hasNews)
        bench.commit(2)
        bench.run(for: .seconds(10))
        #expect(bench.sink.startCount == 2)
        #expect(bench.deliveredNumbers == [1, 2, 3, 4, 5])
        #expect(bench.log.lines.map(\.level) == [.warning, .info])
    }

    @Test func theEndOfAProcessIsWhatFailsTheDeliveryUnderWay() {
        let notice = EndNotice(wakeup: RecordingWakeup())
        let end = SondeError.fake(.resource, stage: .deliver)
        let bench = SinkBench { (_, number, _) throws(SondeError) in
            guard number == 1 else { return .delivered(rejectedPoints: 0, reason: "") }
            notice.give(end)
            throw SondeError.fake(.transient, stage: .deliver)
        }
        bench.useCase.ended = notice
        bench.commit(3)
        bench.run(for: .seconds(60))
        #expect(bench.deliveredNumbers == [1, 2, 3])
        #expect(bench.sink.startCount == 2)
        #expect(bench.log.lines(.warning).map(\.error?.failureClass) == [.resource])
    }
}
