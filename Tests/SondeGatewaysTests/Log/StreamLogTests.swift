import Glibc
import SondeDomain
import SondeEngine
import SondeFormats
import SondeGateways
import SondeTestKit
import Testing

@Suite struct StreamLogTests {
    private let pipe: LogPipe
    private let clock = ManualClock()

    init() throws {
        pipe = try LogPipe()
    }

    private func log(_ format: AgentSettings.EventLogFormat = .text, level: LogLevel = .info) -> StreamLog {
        StreamLog(descriptor: pipe.writeEnd, level: level, format: format, clock: clock)
    }

    @Test func aLineNamesLevelAndComponent() {
        log().log(.warning, "the link is down", component: "kernel")
        log().log(.info, "hello", component: nil)
        #expect(pipe.lines() == ["warning kernel: the link is down", "info hello"])
    }

    @Test func aLineBeginsWithTheTimeWhereNobodyElseAddsIt() {
        let log = StreamLog(descriptor: pipe.writeEnd, level: .info, format: .text, stamp: .time, clock: clock)
        log.log(.warning, "the link is down", component: "kernel")
        var time = ByteBuffer()
        time.append(time: clock.wallTime)
        #expect(pipe.lines() == ["\(String(decoding: time.bytes, as: UTF8.self)) warning kernel: the link is down"])
    }

    @Test func theJournalAddsTheTimeItself() throws {
        var status = stat()
        #expect(fstat(pipe.writeEnd, &status) == 0)
        let own = FakeEnvironmentReader(["JOURNAL_STREAM": "\(status.st_dev):\(status.st_ino)"])
        #expect(JournalStream.stamp(of: pipe.writeEnd, own) == .none)
        // The journal's stream, and standard error somewhere else.
        let other = FakeEnvironmentReader(["JOURNAL_STREAM": "8:1"])
        #expect(JournalStream.stamp(of: pipe.writeEnd, other) == .time)
        #expect(JournalStream.stamp(of: pipe.writeEnd, FakeEnvironmentReader([:])) == .time)
    }

    @Test func whatIsHeldIsWrittenAfterwards() {
        let log = log()
        log.hold()
        log.log(.info, "one", component: nil)
        log.hold()
        log.log(.info, "two", component: nil)
        #expect(pipe.lines() == [])
        log.release()
        #expect(pipe.lines() == ["info one", "info two"])
        log.release()
        log.log(.info, "three", component: nil)
        #expect(pipe.lines() == ["info three"])
    }

    @Test func ofWhatIsHeldTheNewestLinesAreKept() {
        let log = log()
        log.hold()
        for number in 1...250 { log.log(.info, "line \(number)", component: "source \(number % 10)") }
        log.release()
        let lines = pipe.lines()
        #expect(lines.count == 201)
        #expect(lines.first == "info 50 earlier lines were left out")
        #expect(lines.last == "info source 0: line 250")
    }

    @Test func aFailureNamesItsCodeAndWhatHappensNow() {
        let error = SondeError(
            ErrorCode("SND-TST001"), stage: .deliver, class: .transient, message: "refused",
            recovery: [.retry(after: .milliseconds(2_149)), .advise("Look at the receiver.")], component: "central",
            cause: ["connection refused"])
        log().log(.error, error)
        #expect(
            pipe.lines() == [
                "error[SND-TST001] central: refused; because connection refused; next attempt in 2.1 s. "
                    + "Look at the receiver."
            ])
    }

    @Test func aWaitThatTheReceiverAskedForIsSaidToBeOne() {
        let error = SondeError(
            ErrorCode("SND-TST001"), stage: .deliver, class: .rateLimited, message: "slow down",
            recovery: [.retry(after: .milliseconds(7_200)), .advise("Nothing.")], component: "central",
            retryAfter: .seconds(3))
        log().log(.warning, error)
        log(.json).log(.warning, error)
        let reason =
            "next attempt in 7.2 s (asked to wait 3s; that or a longer backoff, and up to 5s to spread hosts)"
        let lines = pipe.lines()
        #expect(lines.first == "warning[SND-TST001] central: slow down; \(reason). Nothing.")
        #expect(lines.last?.contains(#""recovery":"\#(reason); Nothing.""#) == true)
    }

    @Test func linesBelowTheLevelAreLeftOut() {
        log(level: .warning).log(.info, "no", component: nil)
        log(level: .warning).log(.warning, "yes", component: nil)
        #expect(pipe.lines() == ["warning yes"])
    }

    @Test(arguments: [
        "\n", "\r", "\u{0}", "\u{1b}[31m", "\u{7f}", "\u{85}", "\u{9b}", "\u{2028}", "\u{202e}", "\u{2066}",
    ])
    func whatCouldForgeALineIsEscaped(text: String) throws {
        log().log(.info, "a\(text)error b", component: "c\(text)d")
        let lines = pipe.lines()
        try #require(lines.count == 1)
        let first = try #require(text.unicodeScalars.first)
        #expect(!lines[0].unicodeScalars.contains(first))
        #expect(lines[0].contains("\\u{\(String(first.value, radix: 16))}"))
    }

    @Test func otherTextIsLeftAsItIs() {
        log().log(.info, "größe 5 µs 💧", component: nil)
        #expect(pipe.lines() == ["info größe 5 µs 💧"])
    }

    @Test func jsonLinesParseAndSayTheSame() throws {
        let error = SondeError(
            ErrorCode("SND-TST001"), stage: .deliver, class: .rateLimited, message: "a \"quoted\"\n line\u{1b}",
            recovery: [.split], component: "central", cause: ["x", "y"])
        log(.json).log(.error, error)
        let lines = pipe.lines()
        try #require(lines.count == 1)
        let object = try JSONReader.parse(lines[0])
        #expect(object["level"] == .string("error"))
        #expect(object["message"] == .string("a \"quoted\"\n line\u{1b}"))
        #expect(object["component"] == .string("central"))
        #expect(object["code"] == .string("SND-TST001"))
        #expect(object["class"] == .string("rate_limited"))
        #expect(object["stage"] == .string("deliver"))
        #expect(object["cause"] == .string("x; y"))
        #expect(object["recovery"] == .string("the batch is cut in halves"))
        #expect(object["time"] == .string("2026-01-01T00:00:00.000Z"))
    }

    @Test func oneComponentIsBoundedAndTheRestIsTold() {
        let log = log()
        for number in 0..<120 { log.log(.info, "line \(number)", component: "noisy") }
        log.log(.info, "calm", component: "other")
        var lines = pipe.lines()
        #expect(lines.count == 51)
        #expect(lines.last == "info other: calm")
        clock.advance(by: .seconds(10))
        log.log(.info, "again", component: "noisy")
        log.log(.info, "and again", component: "noisy")
        lines = pipe.lines()
        #expect(lines == ["info noisy: again (70 lines before this one were left out)", "info noisy: and again"])
    }

    @Test func aStepOfTheWallClockOpensNoWindow() {
        let log = log()
        for number in 0..<60 { log.log(.info, "line \(number)", component: "noisy") }
        clock.stepWall(by: .seconds(86_400))
        log.log(.info, "late", component: "noisy")
        #expect(pipe.lines().count == 50)
    }

    @Test func aDescriptorThatCannotBeWrittenIsNoTrap() {
        let log = StreamLog(descriptor: -1, level: .debug, format: .text, clock: clock)
        log.log(.error, "nobody hears it", component: nil)
        #expect(pipe.lines().isEmpty)
    }
}
