import Dispatch
import Glibc
import SondeDomain
import SondeFormats
import SondeGateways
import Synchronization
import Testing

@Suite struct ControlServerTests {
    private static let ping = "{\"ok\":true,\"ping\":{\"pid\":\(getpid())}}"

    @Test func manyRequestsOnOneConnectionAreAnsweredInOrder() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        try client.write("{\"request\":\"ping\"}\n{\"request\":\"version\"}\r\n\n{\"request\":\"ping\"}\n")
        #expect(try client.line() == Self.ping)
        #expect(try client.line()?.hasPrefix("{\"ok\":true,\"version\":{\"agent\":\"1.2.3\",\"protocol\":1,") == true)
        #expect(try client.line() == Self.ping)
    }

    @Test func aRequestMayComeByteByByte() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        for byte in Array("{\"request\":\"ping\"}\n".utf8) { try client.write([byte]) }
        #expect(try client.line() == Self.ping)
    }

    @Test func garbageIsAnsweredWithErrorsAndTheConnectionStays() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        try client.write([0x00, 0xff, 0x0a] + Array("}{\n[1,2\n\"ping\"\n".utf8))
        for _ in 0..<4 { #expect(try client.line()?.contains("SND-CTL004") == true) }
        #expect(try client.ask("nothing")?.contains("SND-CTL005") == true)
        #expect(try client.ask("ping") == Self.ping)
    }

    @Test func randomBytesNeverEndTheServer() throws {
        var random = SystemRandomNumberGenerator()
        let bench = try ControlBench()
        for _ in 0..<10 {
            let client = try bench.client()
            client.offer((0..<20_000).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        }
        #expect(try bench.client().ask("ping") == Self.ping)
    }

    @Test func aLineOf64KiBIsReadAndALongerOneIsRefusedOnce() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        let request = "{\"request\":\"ping\"}"
        let longest = request + String(repeating: " ", count: 65_536 - request.utf8.count)
        try client.write(longest + "\n")
        #expect(try client.line() == Self.ping)
        try client.write(longest + String(repeating: " ", count: 200_000) + "\n")
        #expect(try client.line()?.contains("SND-CTL006") == true)
        #expect(try client.ask("ping") == Self.ping)
    }

    @Test func theSeventeenthConnectionIsToldSoAndClosed() throws {
        let bench = try ControlBench()
        let clients = try (0..<16).map { _ in try bench.client() }
        // An answer shows that the connection was accepted.
        for client in clients { #expect(try client.ask("ping") == Self.ping) }
        let extra = try bench.client()
        #expect(try extra.line()?.contains("SND-CTL007") == true)
        #expect(try extra.line() == nil)
        for client in clients { #expect(try client.ask("ping") == Self.ping) }
    }

    @Test func aConnectionThatWasClosedMakesRoom() throws {
        let bench = try ControlBench()
        for _ in 0..<50 { #expect(try bench.client().ask("ping") == Self.ping) }
    }

    @Test func aSlowReaderIsAskedForNothingMoreAndHoldsUpNobody() throws {
        let bench = try ControlBench()
        let slow = try bench.client()
        try slow.write(String(repeating: "{\"request\":\"long\"}\n", count: 5))
        let quick = try bench.client()
        for _ in 0..<20 { #expect(try quick.ask("ping") == Self.ping) }
        // The answer is larger than what a socket holds: the second one is not made before the first was taken.
        #expect(bench.longCalls.value <= 1)
        for number in 1...5 {
            #expect(try slow.line()?.hasPrefix("{\"ok\":true,\"long\":\"\(number) xx") == true)
        }
        #expect(try slow.ask("ping") == Self.ping)
    }

    @Test func whoGoesAwayInTheMiddleOfAnAnswerHoldsUpNobody() throws {
        let bench = try ControlBench()
        for _ in 0..<10 {
            let client = try bench.client()
            try client.write("{\"request\":\"long\"}\n{\"request\":\"long\"}\n{\"reque")
        }
        #expect(try bench.client().ask("ping") == Self.ping)
    }

    @Test func whoSaysNothingMoreStillGetsTheAnswers() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        try client.write("{\"request\":\"long\"}\n{\"request\":\"ping\"}\n")
        client.endOutput()
        #expect(try client.line()?.hasPrefix("{\"ok\":true,\"long\"") == true)
        #expect(try client.line() == Self.ping)
        #expect(try client.line() == nil)
    }

    @Test func halfALineIsNoRequest() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        try client.write("{\"request\":\"ping\"}")
        client.endOutput()
        #expect(try client.line() == nil)
    }

    @Test func anIdleConnectionIsClosedAndAHalfWrittenLineIsIdle() throws {
        var limits = ControlServer.Limits()
        limits.idle = .milliseconds(100)
        let bench = try ControlBench(limits: limits)
        let (silent, half) = (try bench.client(), try bench.client())
        half.offer(Array("{\"requ".utf8))
        #expect(try silent.line() == nil)
        #expect(try half.line() == nil)
    }

    @Test func aReaderThatDoesNotTakeItsAnswerIsClosed() throws {
        var limits = ControlServer.Limits()
        limits.idle = .milliseconds(100)
        limits.connections = 1
        let bench = try ControlBench(limits: limits)
        let slow = try bench.client()
        try slow.write("{\"request\":\"long\"}\n")
        var answer: String?
        repeat {
            let client = try bench.client()
            client.offer(Array("{\"request\":\"ping\"}\n".utf8))
            answer = try client.line()
        } while answer?.contains("SND-CTL007") == true
        #expect(answer == Self.ping)
    }

    @Test func aUserWhoIsNotAllowedIsToldSo() throws {
        let bench = try ControlBench(isAllowed: { _ in false })
        let client = try bench.client()
        #expect(try client.line()?.contains("SND-CTL008") == true)
        #expect(try client.line() == nil)
    }

    @Test(arguments: [(0, true), (geteuid(), true), (geteuid() &+ 12_345, false), (UInt32.max, false)])
    func rootAndTheAgentsOwnUserAreAnswered(_ user: UInt32, _ isAllowed: Bool) {
        #expect(ControlServer.isRootOrOwnUser(user) == isAllowed)
    }

    @Test func theSocketGoesAtTheStop() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        #expect(try client.ask("ping") == Self.ping)
        bench.stop()
        #expect(SocketFolder.mode(bench.path) == nil)
        #expect(try client.line() == nil)
    }

    @Test func aSecondAgentRunsWithoutASocketAndTheFirstKeepsItsOwn() throws {
        let first = try ControlBench()
        let second = try ControlBench(in: first.folder)
        #expect(second.log.codes == [.controlSocketInUse])
        second.stop()
        #expect(try first.client().ask("ping") == Self.ping)
    }

    @Test func aClientOfOursGetsAnswersAndErrors() throws {
        let bench = try ControlBench()
        let answer = try ControlClient(path: bench.path).ask("ping", for: "ping")
        #expect(answer["pid"]?.asInt64 == Int64(getpid()))
        #expect(throws: SondeError.self) { try ControlClient(path: bench.path).ask("nothing", for: "x") }
        let long = try ControlClient(path: bench.path).ask("long", for: "long")
        #expect((long.asString?.utf8.count ?? 0) > 1 << 20)
    }

    @Test func aClientOfOursKnowsThatItWasRefusedAndThatNobodyIsThere() throws {
        let bench = try ControlBench(isAllowed: { _ in false })
        #expect(
            code { () throws(SondeError) in _ = try ControlClient(path: bench.path).ask("ping", for: "ping") }
                == .controlPeerRefused)
        bench.stop()
        #expect(code { () throws(SondeError) in _ = try ControlClient(path: bench.path) } == .controlNotAnswered)
    }

    @Test func aHundredClientsOfOursAtOnceEachGetTheirAnswer() throws {
        let bench = try ControlBench()
        let path = bench.path
        let answers = Mutex(0)
        let threads = try (0..<100).map { index in
            try PluginThread(name: "client") {
                // Some of them request much.
                let request = index % 10 == 0 ? "long" : "ping"
                // Beside other tests the clients' usual patience may end first.
                let patience = Nanoseconds.seconds(30)
                let answer = try? ControlClient.ask(
                    at: path, request, for: request, patience: patience, roomPatience: patience)
                if answer != nil { answers.withLock { $0 += 1 } }
            }
        }
        for thread in threads { thread.join() }
        #expect(answers.withLock { $0 } == 100)
    }

    @Test func aClientOfOursWaitsForRoomAndIsToldWhenThereIsNone() throws {
        var limits = ControlServer.Limits()
        limits.connections = 1
        let bench = try ControlBench(limits: limits)
        let path = bench.path
        var only: SocketClient? = try bench.client()
        #expect(try only?.ask("ping") == Self.ping)
        let refused = code { () throws(SondeError) in
            _ = try ControlClient.ask(at: path, "ping", for: "ping", roomPatience: .milliseconds(200))
        }
        #expect(refused == .controlBusy)
        let answered = DispatchSemaphore(value: 0)
        let thread = try PluginThread(name: "waits") {
            if (try? ControlClient.ask(at: path, "ping", for: "ping")) != nil { answered.signal() }
        }
        // It has been refused once when this connection goes.
        #expect(answered.wait(timeout: .now() + .milliseconds(300)) == .timedOut)
        only = nil
        #expect(answered.wait(timeout: .now() + .seconds(10)) == .success)
        thread.join()
    }

    private func code(_ body: () throws(SondeError) -> Void) -> ErrorCode? {
        do throws(SondeError) {
            try body()
            return nil
        } catch {
            return error.code
        }
    }
}
