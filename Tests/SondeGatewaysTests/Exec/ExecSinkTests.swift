import Foundation
import SondeDomain
import SondeEngine
import Testing

@testable import SondeGateways

@Suite struct ExecSinkTests {
    private let workshop: ProgramWorkshop

    init() throws { workshop = try ProgramWorkshop() }

    private func sink(_ script: String, _ options: [String: OptionValues.Value] = [:]) throws -> any SinkInstance {
        var options = options
        options["command"] = .list([try workshop.script(script)])
        let sink = try workshop.catalog.plugin(named: "exec", kind: .sink, isolation: nil)
            .makeSink(id: "out", options: OptionValues(options), services: workshop.services)
        try sink.start()
        return sink
    }

    private func batch(_ count: Int = 1, first: UInt64 = 1) -> Batch {
        let series = Series(id: SeriesID(rawValue: 1), source: "s", name: "a", kind: .gauge, unit: "")
        let time = Timestamp(seconds: 1_767_225_600)
        return Batch(
            identity: BatchIdentity(agent: "agent", epoch: "e", first: first, last: first + UInt64(count) - 1),
            sink: "out", series: [series],
            entries: (0..<count).map { index in
                .init(
                    seriesIndex: 0,
                    point: MetricPoint(series: series.id, time: time, value: .signed(Int64(index))))
            })
    }

    private func failure(_ sink: any SinkInstance, _ batch: Batch? = nil) throws -> SondeError {
        try #require(#expect(throws: SondeError.self) { try sink.deliver(batch ?? self.batch(), workshop.call()) })
    }

    /// Reads a header and as many lines as it says, and keeps them.
    private var reading: String {
        #"""
        while read -r header; do
            lines=${header##*:}
            lines=${lines%\}}
            echo "$header" >> \#(workshop.files.path("got"))
            while [ "$lines" -gt 0 ]; do read -r line; echo "$line" >> \#(workshop.files.path("got")); lines=$((lines-1)); done
        """#
    }

    private var got: [Substring] {
        ((try? String(contentsOfFile: workshop.files.path("got"), encoding: .utf8)) ?? "").split(separator: "\n")
    }

    @Test func moreRejectedThanSentIsNoAnswer() throws {
        let sink = try sink("\(reading)\necho '{\"rejected\":3}'\ndone")
        let error = try failure(sink, batch(2))
        #expect(error.code == .programBrokeProtocol && error.message.contains("rejected more points"))
    }

    @Test func aFloodOfAnswersIsNotKept() throws {
        let sink = try sink("while :; do echo ok; done")
        #expect(try failure(sink, batch(20_000)).message.contains("more than one line"))
    }

    @Test func eachBatchHasAHeaderAndIsAcknowledged() throws {
        let sink = try sink("\(reading)\necho ok\ndone")
        #expect(
            try sink.deliver(batch(2), workshop.call())
                == .delivered(rejectedPoints: 0, reason: "the format has no way to write it"))
        #expect(
            try sink.deliver(batch(1, first: 3), workshop.call())
                == .delivered(rejectedPoints: 0, reason: "the format has no way to write it"))
        #expect(
            got == [
                #"{"batch":"agent/e/1-2","attempt":0,"lines":2}"#,
                #"{"time":"2026-01-01T00:00:00.000Z","name":"a","kind":"gauge","value":0}"#,
                #"{"time":"2026-01-01T00:00:00.000Z","name":"a","kind":"gauge","value":1}"#,
                #"{"batch":"agent/e/3-3","attempt":0,"lines":1}"#,
                #"{"time":"2026-01-01T00:00:00.000Z","name":"a","kind":"gauge","value":0}"#,
            ])
        sink.close()
    }

    @Test func lineProtocolHasItsHeaderInAComment() throws {
        let sink = try sink("\(reading)\necho ok\ndone", ["format": .string("influx")])
        _ = try sink.deliver(batch(), workshop.call())
        #expect(got == [#"# {"batch":"agent/e/1-1","attempt":0,"lines":1}"#, "a value=0i 1767225600000000000"])
    }

    @Test func aLargeBatchIsWrittenWhileAnswersAreWaitedFor() throws {
        let sink = try sink("\(reading)\necho ok\ndone".replacingOccurrences(of: "echo \"$line\"", with: ": \"$line\""))
        guard case .delivered = try sink.deliver(batch(20_000), workshop.call()) else { return #expect(Bool(false)) }
    }

    @Test func someOfABatchMayBeRejected() throws {
        let sink = try sink("\(reading)\necho '{\"rejected\":1,\"reason\":\"too_old\"}'\ndone")
        #expect(try sink.deliver(batch(2), workshop.call()) == .delivered(rejectedPoints: 1, reason: "too_old"))
    }

    @Test func aReportedErrorKeepsItsClass() throws {
        let sink = try sink(
            "\(reading)\necho '{\"error\":{\"class\":\"rate_limited\",\"message\":\"slow down\",\"retry_after\":3}}'\ndone"
        )
        let error = try failure(sink)
        #expect(error.code == .programReported)
        #expect(error.failureClass == .rateLimited)
        #expect(error.retryAfter == .seconds(3))
        #expect(error.stage == .deliver)
    }

    @Test func aBatchThatIsNotAnsweredIsOfferedToAnotherProgram() throws {
        let mark = workshop.files.path("mark")
        let sink = try sink(
            "if test -e \(mark); then \(reading)\necho ok\ndone; else touch \(mark); exec sleep 60; fi",
            ["timeout": .duration(.milliseconds(300))])
        let error = try failure(sink)
        #expect(error.code == .programLate)
        #expect(error.message.hasPrefix("the program had not answered the batch after 0.3"))
        guard case .delivered = try sink.deliver(batch(), workshop.call()) else { return #expect(Bool(false)) }
        #expect(got.first == #"{"batch":"agent/e/1-1","attempt":0,"lines":1}"#)
    }

    @Test(arguments: [
        ("echo yes", "answered a batch with a line that cannot be read: it is no JSON"),
        ("echo '{}'", "answered a batch with a line that cannot be read: it says nothing known"),
        (
            "echo '{\"error\":{\"class\":\"x\",\"message\":\"y\"}}'",
            "a line that cannot be read: class is none that there is"
        ),
        ("printf 'ok\\nok\\n'", "answered a batch with more than one line"),
        ("exec >&-; sleep 60", "has closed its standard output"),
    ])
    func whatIsNoAnswerBreaksTheProtocol(_ answer: String, _ words: String) throws {
        let sink = try sink("\(reading)\n\(answer)\ndone")
        let error = try failure(sink)
        #expect(error.code == .programBrokeProtocol)
        #expect(error.message.contains(words), "\(error.message)")
    }

    @Test func aProgramThatEndsFailsTheBatchAndIsStartedAgain() throws {
        let mark = workshop.files.path("mark")
        let sink = try sink("\(reading)\ntest -e \(mark) || { touch \(mark); exit 3; }\necho ok\ndone")
        let error = try failure(sink)
        #expect(error.code == .childEnded)
        #expect(error.message.contains("exited with status 3"))
        guard case .delivered = try sink.deliver(batch(), workshop.call()) else { return #expect(Bool(false)) }
    }

    @Test func whatIsSaidBetweenBatchesIsNoAnswerToTheNext() throws {
        let mark = workshop.files.path("mark")
        // Its second line comes when the first one was taken.
        let sink = try sink(
            "\(reading)\necho ok; if ! test -e \(mark); then sleep 0.1; echo ok; touch \(mark); exec sleep 60; fi\ndone"
        )
        guard case .delivered = try sink.deliver(batch(), workshop.call()) else { return #expect(Bool(false)) }
        let waiting = SystemClock().monotonicTime.advanced(by: .seconds(20))
        while !FileManager.default.fileExists(atPath: mark), SystemClock().monotonicTime < waiting { usleep(10_000) }
        // The program that said it is replaced; it would not have answered.
        guard case .delivered = try sink.deliver(batch(1, first: 2), workshop.call()) else {
            return #expect(Bool(false))
        }
        #expect(got.contains { $0.contains("agent/e/2-2") })
    }

    /// A late answer to the batch before does not acknowledge this one, where the program names the batch.
    @Test func anAnswerThatNamesABatchIsAboutThatOne() throws {
        let sink = try sink(
            #"\#(reading)\necho '{"batch":"agent/e/1-2"}'\ndone"#.replacingOccurrences(of: "\\n", with: "\n"))
        let taken = try sink.deliver(batch(2), workshop.call())
        #expect(taken == .delivered(rejectedPoints: 0, reason: "the format has no way to write it"))
        let error = try failure(sink, batch(1, first: 3))
        #expect(error.message.contains("it is about another batch"))
    }

    @Test func whatWasNotReadIsNotAcknowledged() throws {
        let sink = try sink("exec <&-; sleep 0.2; echo ok; exec sleep 60", ["timeout": .duration(.seconds(1))])
        // More than a pipe holds.
        let error = try failure(sink, batch(20_000))
        #expect(error.code == .programBrokeProtocol)
        #expect(error.message == "the program answered before it had read the whole batch")
    }

    @Test func aCancelledDeliveryIsNoFailure() throws {
        let sink = try sink("exec sleep 60")
        let cancel = try CancelSignal()
        cancel.cancel()
        #expect(try sink.deliver(batch(), workshop.call(cancel: cancel.descriptor)) == .cancelled)
    }
}
