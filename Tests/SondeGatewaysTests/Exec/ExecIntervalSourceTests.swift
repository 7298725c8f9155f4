import Foundation
import SondeDomain
import SondeEngine
import Synchronization
import Testing

@testable import SondeGateways

@Suite struct ExecIntervalSourceTests {
    private let workshop: ProgramWorkshop

    init() throws { workshop = try ProgramWorkshop() }

    @Test func whatAProgramPrintsIsCommitted() throws {
        let source = try workshop.source(
            #"echo '{"name":"a","value":1,"attributes":{"b":"c"}}'; printf '{"name":"d","value":2.5}'"#)
        #expect(try source.collect(workshop.call()) == .completed)
        #expect(workshop.committed == ["a 1.0", "d 2.5"])
        #expect(workshop.services.series[0].attributes == [Attribute("b", "c")])
        #expect(try source.collect(workshop.call()) == .completed)
        // The series stay open.
        #expect(workshop.services.series.count == 2)
        #expect(workshop.committed.count == 4)
    }

    @Test func aLastMessageNeedsNoEnd() throws {
        let source = try workshop.source(
            #"printf '{"name":"a","value":1}\n{"type":"commit"}'"#, ["format": .string("sonde")])
        #expect(try source.collect(workshop.call()) == .completed)
        #expect(workshop.committed == ["a 1.0"])
        let failing = try workshop.source(
            #"printf '{"name":"a","value":1}\n{"type":"error","message":"boom"}'"#, ["format": .string("sonde")])
        #expect(workshop.failure(of: failing)?.message.contains("boom") == true)
    }

    @Test func whatFollowsAnErrorIsTaken() throws {
        let source = try workshop.source(
            #"printf '{"type":"error","message":"boom"}\n{"name":"a","value":1}\n{"type":"commit"}\n'"#,
            ["format": .string("sonde")])
        #expect(workshop.failure(of: source)?.message.contains("boom") == true)
        #expect(workshop.committed == ["a 1.0"])
    }

    @Test func aCountThatBeginsAnewLosesNothingOfTheFormer() throws {
        let source = try workshop.source(
            (1...3).map {
                #"echo '{"name":"c","kind":"counter","value":\#($0),"start":"2026-01-0\#($0)T00:00:00.000Z"}'"#
            }
            .joined(separator: ";"))
        #expect(try source.collect(workshop.call()) == .completed)
        #expect(workshop.committed == ["c 1.0", "c 2.0", "c 3.0"])
        #expect(workshop.services.series.count == 3)
    }

    @Test func whatWasPrintedBeforeACancelIsTaken() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let canceller = ends[1]
        let mark = workshop.files.path("mark")
        let source = try workshop.source(#"echo '{"name":"a","value":1}'; touch \#(mark); exec sleep 60"#)
        let thread = Thread {
            while access(mark, F_OK) != 0 { usleep(1_000) }
            _ = write(canceller, "x", 1)
        }
        thread.start()
        #expect(try source.collect(workshop.call(cancel: ends[0])) == .cancelled)
        #expect(workshop.committed == ["a 1.0"])
    }

    @Test func lineProtocolIsReadToo() throws {
        let source = try workshop.source("echo 'disk,dev=sda free=1i,used=2i'", ["format": .string("influx")])
        #expect(try source.collect(workshop.call()) == .completed)
        #expect(workshop.committed == ["disk.free 1.0", "disk.used 2.0"])
    }

    @Test func aSeriesThatIsNotPrintedAnyMoreIsClosed() throws {
        let mark = workshop.files.path("mark")
        let source = try workshop.source(
            #"echo '{"name":"a","value":1}'; test -e \#(mark) || echo '{"name":"b","value":1}'; touch \#(mark)"#)
        _ = try source.collect(workshop.call())
        _ = try source.collect(workshop.call())
        #expect(workshop.services.state.withLock { $0.closed } == [2])
    }

    @Test func aBrokenLineIsCountedAndTheOthersAreTaken() throws {
        let source = try workshop.source(
            #"echo '{"name":"a","value":1}'; echo oops; printf '\0\377\n'; echo; echo '{"name":"b","value":2}'"#)
        #expect(try source.collect(workshop.call()) == .completed)
        #expect(workshop.committed == ["a 1.0", "b 2.0"])
        let rejections = workshop.services.commits.flatMap(\.rejections)
        #expect(rejections == [SampleRejection](repeating: .init(series: 0, reason: .malformedRecord), count: 2))
        let trouble = try #require(workshop.services.state.withLock { $0.troubles.first })
        #expect(trouble.code == .programOutputUnreadable)
        #expect(trouble.message.contains("line 2 that the program printed cannot be read: it is no JSON"))
        #expect(trouble.message.hasSuffix("; 2 lines in all"))
    }

    @Test func aTroubleEndsWithTheNextGoodRun() throws {
        let mark = workshop.files.path("mark")
        let source = try workshop.source(
            #"test -e \#(mark) || echo oops; touch \#(mark); echo '{"name":"a","value":1}'"#)
        _ = try source.collect(workshop.call())
        #expect(workshop.services.state.withLock { $0.troubles.count } == 1)
        _ = try source.collect(workshop.call())
        #expect(workshop.services.state.withLock { $0.troubles.count } == 0)
    }

    @Test(arguments: [
        ("exit 3", "the program exited with status 3"), ("kill -9 $$", "the program was ended by signal 9, Killed"),
    ])
    func aProgramThatFailsFailsTheCollectionAndItsWholeLinesAreTaken(_ end: String, _ words: String) throws {
        let source = try workshop.source(#"echo '{"name":"a","value":1}'; printf '{"name":"b","value":12}'; \#(end)"#)
        let error = try #require(workshop.failure(of: source))
        #expect(error.code == .programFailed)
        #expect(error.failureClass == .transient)
        #expect(error.message == words)
        #expect(workshop.committed == ["a 1.0"])
        #expect(workshop.services.commits.flatMap(\.rejections).count == 1)
        #expect(workshop.services.state.withLock { $0.closed } == [])
    }

    @Test func aProgramThatDoesNotEndIsKilledWithAllItHasStarted() throws {
        let word = "7\(Int.random(in: 100_000...999_999))"
        let source = try workshop.source(
            #"trap '' TERM; echo '{"name":"a","value":1}'; (setsid sleep \#(word) &) ; exec sleep \#(word)"#,
            ["timeout": .duration(.milliseconds(300))])
        let error = try #require(workshop.failure(of: source))
        #expect(error.code == .programLate)
        #expect(workshop.committed == ["a 1.0"])
        #expect(ProgramWorkshop.processes(with: word) == [])
    }

    @Test func theIntervalIsTheDeadlineWhereThereIsNoOther() throws {
        let source = try workshop.source("exec sleep 60")
        #expect(workshop.failure(of: source, within: .milliseconds(200))?.code == .programLate)
    }

    @Test func whatAProgramLeavesBehindEndsWithIt() throws {
        let word = "8\(Int.random(in: 100_000...999_999))"
        // It keeps the standard output open: waiting for its end would be waiting for ever.
        let source = try workshop.source(#"setsid sleep \#(word) & echo '{"name":"a","value":1}'"#)
        #expect(try source.collect(workshop.call()) == .completed)
        #expect(workshop.committed == ["a 1.0"])
        #expect(ProgramWorkshop.processes(with: word) == [])
    }

    @Test func aProgramMayCloseItsOutputAndNeverReadItsInput() throws {
        let source = try workshop.source(#"echo '{"name":"a","value":1}'; exec >&-; exec <&-; sleep 0.1"#)
        #expect(try source.collect(workshop.call()) == .completed)
        #expect(workshop.committed == ["a 1.0"])
    }

    @Test func itsInputIsEmptyAndOnlyKnownVariablesAreInherited() throws {
        setenv("SONDE_TEST_SECRET", "1", 1)
        let source = try workshop.source(
            #"cat; echo "{\"name\":\"a\",\"value\":$(env | grep -c -e SONDE_TEST -e ^OWN=x=y$)}"; test -n "$PATH""#,
            ["env": .list(["OWN=x=y"])])
        #expect(try source.collect(workshop.call()) == .completed)
        #expect(workshop.committed == ["a 1.0"])
    }

    @Test func aFloodIsBoundedAndTheRestCounted() throws {
        let source = try workshop.source(#"yes '{"name":"a","value":1}' | head -n 100500"#)
        #expect(try source.collect(workshop.call()) == .completed)
        #expect(workshop.committed.count == OutputReader.pointLimit)
        #expect(workshop.services.losses.map(\.reason) == ["output_limit"])
        #expect(workshop.services.losses.map(\.count) == [500])
    }

    @Test func aFloodOfBrokenLinesIsBoundedToo() throws {
        let source = try workshop.source("yes | head -n 100500")
        #expect(try source.collect(workshop.call()) == .completed)
        #expect(workshop.services.commits.flatMap(\.rejections).count == OutputReader.pointLimit)
        #expect(workshop.services.losses.map(\.count) == [500])
    }

    @Test func aFloodThatNeverEndsIsEndedInTime() throws {
        let source = try workshop.source("exec yes", ["timeout": .duration(.milliseconds(300))])
        #expect(workshop.failure(of: source)?.code == .programLate)
    }

    @Test func aLineOfAnyLengthIsBounded() throws {
        let source = try workshop.source(#"head -c 300000 /dev/zero; echo; echo '{"name":"a","value":1}'"#)
        #expect(try source.collect(workshop.call()) == .completed)
        #expect(workshop.committed == ["a 1.0"])
        #expect(workshop.services.state.withLock { $0.troubles.first?.message.contains("262144 bytes") } == true)
    }

    @Test func standardErrorIsLoggedWithinBounds() throws {
        let source = try workshop.source("i=0; while [ $i -lt 130 ]; do i=$((i+1)); echo line $i >&2; done")
        #expect(try source.collect(workshop.call()) == .completed)
        let lines = workshop.services.lines
        #expect(lines.first == "info: standard error: line 1")
        #expect(lines.count == 101)
        #expect(lines.last == "info: standard error: 30 further lines were left out")
    }

    /// The supervisor has the agent's capabilities, and may be the only one of the two that has them.
    @Test func whatAProgramHasLoadedIsNotLoadedIntoItsSupervisor() throws {
        let source = try workshop.source("echo $LD_PRELOAD >&2", ["env": .list(["LD_PRELOAD=/nowhere/own.so"])])
        #expect(try source.collect(workshop.call()) == .completed)
        let lines = workshop.services.lines
        #expect(lines.filter { $0.contains("cannot be preloaded") }.count == 1, "the shell's: \(lines)")
        #expect(lines.last == "info: standard error: /nowhere/own.so")
    }

    @Test func aProgramWhoseTurnDoesNotComeIsNotRun() throws {
        let mark = workshop.files.path("mark")
        let slots = try RunSlots(1)
        let settings = try ExecSettings(
            OptionValues(["command": .list(["touch \(mark)"]), "shell": .bool(true)]))
        let source = try ExecIntervalSource(
            id: "probe", settings, PluginWorkshop.programs, slots, workshop.services)
        #expect(slots.take(until: .distantFuture, cancel: -1) == .taken)
        let error = try #require(workshop.failure(of: source, within: .milliseconds(50)))
        #expect(error.code == .programLate)
        #expect(error.message.hasPrefix("the program was not run"))
        #expect(!FileManager.default.fileExists(atPath: mark))
        slots.give()
        #expect(try source.collect(workshop.call()) == .completed)
        // The slot is free again.
        #expect(try source.collect(workshop.call()) == .completed)
        #expect(FileManager.default.fileExists(atPath: mark))
    }

    @Test func aCancelledRunIsKilled() throws {
        let source = try workshop.source(#"sleep 60; echo '{"name":"a","value":1}'"#)
        let cancel = try CancelSignal()
        cancel.cancel()
        #expect(try source.collect(workshop.call(cancel: cancel.descriptor)) == .cancelled)
        #expect(workshop.committed == [])
    }

    @Test func theStopDoesNotWaitForAnotherRun() throws {
        let source = try workshop.source(#"echo '{"name":"a","value":1}'"#)
        #expect(try source.collect(.test(isFinal: true)) == .cancelled)
        #expect(workshop.committed == [])
    }

    @Test func aProgramThatIsNoneIsOfTheConfiguration() throws {
        let path = try workshop.script("exit 0", "/nonexistent/interpreter")
        let source = try workshop.source("", ["command": .list([path])])
        let error = try #require(workshop.failure(of: source))
        #expect(error.code == .childEnded)
        #expect(error.failureClass == .configuration)
    }
}
