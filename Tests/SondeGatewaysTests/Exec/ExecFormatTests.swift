import Foundation
import SondeDomain
import SondeEngine
import Synchronization
import Testing

@testable import SondeGateways

/// What programs print beside lines that stand for themselves.
@Suite struct ExecFormatTests {
    private let workshop: ProgramWorkshop

    init() throws { workshop = try ProgramWorkshop() }

    private func options(_ format: String, _ mode: String = "interval") -> [String: OptionValues.Value] {
        ["format": .string(format), "mode": .string(mode)]
    }

    @Test func aTextForPrometheusIsReadWhole() throws {
        let source = try workshop.source(
            #"printf '# TYPE h histogram\nh_bucket{le="1"} 2\nh_count 3\na 1\n'"#, options("prometheus"))
        #expect(try source.collect(workshop.call()) == .completed)
        #expect(workshop.committed == ["a 1.0", "h …"])
    }

    @Test func ofAFailedRunATextForPrometheusIsNotTaken() throws {
        let source = try workshop.source("echo a 1; exit 1", options("prometheus"))
        #expect(workshop.failure(of: source)?.code == .programFailed)
        #expect(workshop.committed == [])
        #expect(workshop.services.losses.map(\.reason) == ["not_committed"])
    }

    @Test(arguments: [0, 1, 2, 3]) func theStatusOfACheckIsNoFailure(_ status: Int) throws {
        let source = try workshop.source("echo 'WORD - text | time=2s'; exit \(status)", options("nagios"))
        #expect(try source.collect(workshop.call()) == .completed)
        #expect(workshop.committed == ["nagios.status \(status).0", "nagios.perfdata.time 2.0"])
    }

    @Test func anotherStatusOfACheckIsAFailure() throws {
        let source = try workshop.source("echo x; exit 127", options("nagios"))
        #expect(workshop.failure(of: source)?.message == "the program exited with status 127")
        #expect(workshop.committed == [])
    }

    @Test(arguments: ["prometheus", "nagios"]) func whatIsReadWholeIsOfARun(_ format: String) throws {
        #expect(
            try workshop.refusal(["command": .list(["/bin/true"])].merging(options(format, "stream")) { $1 })?
                .optionPath == "format")
    }

    @Test func optionsAreForProgramsThatAreSentThem() throws {
        let options: [String: OptionValues.Value] = [
            "command": .list(["/bin/true"]), "options": .map([Attribute("a", "b")]),
        ]
        #expect(try workshop.refusal(options)?.optionPath == "options")
    }

    // MARK: sonde

    @Test func aProgramIsSentItsOptionsAndItsCheckpoint() throws {
        workshop.services.state.withLock { $0.checkpoint = Array("at 5".utf8) }
        let path = workshop.files.path("seen")
        var options = options("sonde")
        options["options"] = .map([Attribute("server", "a \"b\"")])
        let source = try workshop.source("read -r line; printf %s \"$line\" > \(path)", options)
        #expect(try source.collect(workshop.call()) == .completed)
        #expect(
            try String(contentsOfFile: path, encoding: .utf8)
                == #"{"type":"options","version":1,"id":"probe","interval":10.0,"options":{"server":"a \"b\""},"checkpoint":"at 5"}"#
        )
    }

    @Test(arguments: ["interval", "stream"]) func aCommitIsTakenWithItsCheckpointAndAnswered(_ mode: String) throws {
        let source = try workshop.source(
            #"""
            read -r options
            echo '{"name":"a","value":1}'
            echo '{"type":"commit","checkpoint":"p"}'
            read -r answer
            test "$answer" = '{"type":"taken"}' || exit 9
            echo '{"type":"log","level":"warning","message":"hello"}'
            echo '{"type":"loss","reason":"dropped","count":3}'
            echo '{"type":"commit"}'
            read -r answer
            echo '{"type":"nonsense"}'
            echo '{"name":"b","value":1}'
            exit 4
            """#, options("sonde", mode))
        if mode == "interval" {
            #expect(workshop.failure(of: source)?.message == "the program exited with status 4")
        } else {
            try source.start()
            let error = #expect(throws: SondeError.self) { try source.run(workshop.call()) }
            #expect(error?.message.contains("exited with status 4") == true)
        }
        #expect(workshop.committed == ["a 1.0"])
        #expect(workshop.services.commits.first?.checkpoint == Array("p".utf8))
        #expect(workshop.services.lines == ["warning: hello"])
        // What was not committed is counted.
        #expect(workshop.services.losses.map(\.reason) == ["dropped", "not_committed"])
        #expect(workshop.services.losses.map(\.count) == [3, 1])
        #expect(workshop.services.state.withLock { $0.troubles.first?.message.contains("line 6") } == true)
    }

    @Test(arguments: ["interval", "stream"]) func aReportedErrorKeepsItsClass(_ mode: String) throws {
        let source = try workshop.source(
            #"echo '{"type":"error","class":"configuration","message":"no such server","option":"server","retry_after":2}'; sleep 0.1"#,
            options("sonde", mode))
        try source.start()
        let error = try #require(
            #expect(throws: SondeError.self) {
                _ = mode == "stream" ? try source.run(workshop.call()) : try source.collect(workshop.call())
            })
        #expect(error.code == .programReported)
        #expect(error.failureClass == .configuration)
        #expect(error.message == "no such server")
        #expect(error.optionPath == "options.server")
        #expect(error.retryAfter == .seconds(2))
    }

    @Test func atTheStopAProgramIsAskedToEnd() throws {
        let source = try workshop.source(
            #"""
            read -r options
            echo '{"name":"a","value":1}'
            echo '{"type":"commit"}'
            read -r answer
            read -r stop
            test "$stop" = '{"type":"stop"}' && echo '{"name":"a","value":2}' && echo '{"type":"commit"}'
            """#, options("sonde", "stream"))
        let cancel = try CancelSignal()
        workshop.services.onCommit { cancel.cancel() }
        try source.start()
        #expect(try source.run(workshop.call(cancel: cancel.descriptor)) == .cancelled)
        #expect(workshop.committed == ["a 1.0", "a 2.0"])
    }

    @Test func aRunThatEndsWellCommitsTheRest() throws {
        let source = try workshop.source(#"echo '{"name":"a","value":1}'"#, options("sonde"))
        #expect(try source.collect(workshop.call()) == .completed)
        #expect(workshop.committed == ["a 1.0"])
    }
}
