import SondeDomain
import Testing

@testable import DNSLogPlugin

/// Time as it passes between lines.
@Suite struct LogPipelineTests {
    private let pipeline = LogPipeline(.forTests, seed: 7)
    private let query = "query: 192.0.2.1 a.example. A IN"
    private let reply = "reply: 192.0.2.1 a.example. A IN NOERROR 0.000294 0 60"

    private func take(_ text: String, second: Int, _ stream: LogStream) {
        Array("[\(1_795_223_093 + second)] unbound[1:0] \(text)".utf8).withUnsafeBytes { pipeline.take($0, stream) }
    }

    private func count(_ body: (borrowing LogTotals) -> UInt64) -> UInt64 {
        var count: UInt64 = 0
        pipeline.withEach { count += body($0.totals) }
        return count
    }

    @Test func aQueryThatIsUnderWayWhenSamplesAreTakenIsNotGivenUp() {
        let stream = pipeline.open()
        for round in 0..<3 {
            for second in round * 10..<round * 10 + 10 {
                pipeline.pass(.milliseconds(second % 10 == 9 ? 999 : 1_000))
                take(query, second: second, stream)
                if second % 10 < 9 { take(reply, second: second, stream) }
            }
            pipeline.pass(.milliseconds(1))
            pipeline.settle()
            take(reply, second: round * 10 + 9, stream)
        }
        #expect(count { $0.queries } == 30)
        #expect(count { $0.unanswered } == 0)
        #expect(count { $0.unasked } == 0)
    }

    @Test func aQueryThatNoLineFollowsIsGivenUpAfterTheTimeout() {
        let stream = pipeline.open()
        take(query, second: 0, stream)
        pipeline.pass(.milliseconds(9_999))
        pipeline.settle()
        #expect(count { $0.unanswered } == 0)
        pipeline.pass(.milliseconds(1))
        pipeline.settle()
        #expect(count { $0.unanswered } == 1)
    }

    @Test func partsOfAMillisecondAddUp() {
        let stream = pipeline.open()
        take(query, second: 0, stream)
        for _ in 0..<100_000 { pipeline.pass(Nanoseconds(100_000)) }
        pipeline.settle()
        #expect(count { $0.unanswered } == 1)
    }
}
