import Dispatch
import SondeDomain
import SondeGateways
import Testing

/// Answers that take their time are made beside the loop.
@Suite struct ControlServerSlowTests {
    @Test func aSlowAnswerHoldsUpNobodyElse() throws {
        let bench = try ControlBench()
        let slow = try bench.client()
        try slow.write("{\"request\":\"slow\"}\n{\"request\":\"ping\"}\n")
        let other = try bench.client()
        #expect(try other.ask("ping")?.contains("pid") == true)
        bench.gate.signal()
        // In the order of the requests, on the same connection.
        #expect(try slow.line() == #"{"ok":true,"slow":"done"}"#)
        #expect(try slow.line()?.contains("pid") == true)
    }

    @Test func severalSlowAnswersAreMadeAtOnce() throws {
        let bench = try ControlBench()
        let clients = try (0..<4).map { _ in try bench.client() }
        for client in clients { try client.write("{\"request\":\"slow\"}\n") }
        #expect(try bench.client().ask("ping")?.contains("pid") == true)
        for _ in clients { bench.gate.signal() }
        for client in clients { #expect(try client.line()?.contains("done") == true) }
    }

    @Test func whoeverHasGoneBeforeASlowAnswerIsForgotten() throws {
        let bench = try ControlBench()
        do {
            let gone = try bench.client()
            try gone.write("{\"request\":\"slow\"}\n")
            // The request has arrived when a later one is answered.
            #expect(try bench.client().ask("ping") != nil)
        }
        bench.gate.signal()
        let client = try bench.client()
        try client.write("{\"request\":\"slow\"}\n")
        bench.gate.signal()
        #expect(try client.line()?.contains("done") == true)
    }

    @Test func anIdleLimitDoesNotEndAConnectionThatWaitsForItsAnswer() throws {
        var limits = ControlServer.Limits()
        limits.idle = .milliseconds(50)
        let bench = try ControlBench(limits: limits)
        let client = try bench.client()
        try client.write("{\"request\":\"slow\"}\n")
        // Another connection is closed for being idle: more than the limit has passed.
        #expect(try bench.client().line() == nil)
        bench.gate.signal()
        #expect(try client.line()?.contains("done") == true)
    }

    @Test func aStopWaitsForAnswersUnderWay() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        try client.write("{\"request\":\"slow\"}\n")
        #expect(try bench.client().ask("ping") != nil)
        bench.gate.signal()
        bench.stop()
    }
}
