import Foundation
import SondeDomain
import SondeEngine
import Synchronization
import Testing

@testable import SondeGateways

@Suite struct ExecStreamSourceTests {
    private let workshop: ProgramWorkshop
    private static let stream: [String: OptionValues.Value] = ["mode": .string("stream")]

    init() throws { workshop = try ProgramWorkshop() }

    private func failure(of source: any SourceInstance) throws -> SondeError? {
        try source.start()
        do throws(SondeError) {
            _ = try source.run(workshop.call())
            return nil
        } catch {
            return error
        }
    }

    @Test func eachLineIsCommittedWhenItComes() throws {
        // It goes on only when what it has printed was committed.
        let mark = workshop.files.path("mark")
        let source = try workshop.source(
            #"echo '{"name":"a","value":1}'; until test -e \#(mark); do sleep 0.02; done; echo '{"name":"a","value":2}'"#,
            Self.stream)
        workshop.services.onCommit { _ = FileManager.default.createFile(atPath: mark, contents: nil) }
        let error = try #require(try failure(of: source))
        #expect(error.code == .childEnded)
        #expect(error.message.contains("exited with status 0"))
        #expect(workshop.committed == ["a 1.0", "a 2.0"])
        #expect(workshop.services.commits.count == 2)
        #expect(workshop.services.series.count == 1)
    }

    @Test func anotherStartMakesAnotherProgram() throws {
        let source = try workshop.source(#"echo '{"name":"a","value":1}'; exit 3"#, Self.stream)
        #expect(try failure(of: source)?.message.contains("exited with status 3") == true)
        #expect(try failure(of: source)?.message.contains("exited with status 3") == true)
        #expect(workshop.committed == ["a 1.0", "a 1.0"])
    }

    @Test func aProgramThatClosesItsOutputIsReplaced() throws {
        let source = try workshop.source("exec >&-; exec sleep 60", Self.stream)
        let error = try #require(try failure(of: source))
        #expect(error.code == .programBrokeProtocol)
        #expect(error.message == "the program has closed its standard output")
    }

    @Test func atTheStopItsInputEndsAndItsLastLinesAreTaken() throws {
        let source = try workshop.source(
            #"echo '{"name":"a","value":1}'; cat >/dev/null; echo '{"name":"a","value":2}'"#, Self.stream)
        let cancel = try CancelSignal()
        workshop.services.onCommit { cancel.cancel() }
        try source.start()
        #expect(try source.run(workshop.call(cancel: cancel.descriptor)) == .cancelled)
        #expect(workshop.committed == ["a 1.0", "a 2.0"])
    }

    /// Its last line has no end: it is whole where the program has ended well, and counted where it has not.
    @Test(arguments: [("exit 0", ["a 1.0", "a 2.0"], 0), ("exec sleep 60", ["a 1.0"], 1), ("exit 3", ["a 1.0"], 1)])
    func atTheStopALastLineWithoutItsEndIsNotDroppedUncounted(
        _ end: String, _ points: [String], _ rejected: Int
    ) throws {
        let source = try workshop.source(
            #"echo '{"name":"a","value":1}'; cat >/dev/null; printf '{"name":"a","value":2}'; "# + end, Self.stream)
        let cancel = try CancelSignal()
        workshop.services.onCommit { cancel.cancel() }
        try source.start()
        #expect(try source.run(workshop.call(cancel: cancel.descriptor)) == .cancelled)
        #expect(workshop.committed == points)
        #expect(workshop.services.commits.flatMap(\.rejections).count == rejected)
    }

    @Test func aProgramThatIgnoresTheStopIsKilled() throws {
        let word = "9\(Int.random(in: 100_000...999_999))"
        let source = try workshop.source(
            #"trap '' TERM; echo '{"name":"a","value":1}'; exec sleep \#(word)"#, Self.stream)
        let cancel = try CancelSignal()
        workshop.services.onCommit { cancel.cancel() }
        try source.start()
        #expect(try source.run(workshop.call(cancel: cancel.descriptor)) == .cancelled)
        #expect(ProgramWorkshop.processes(with: word) == [])
    }

    @Test func whatTheAgentRefusesIsCommittedAgain() throws {
        let source = try workshop.source(#"echo '{"name":"a","value":1}'; echo oops"#, Self.stream)
        workshop.services.state.withLock { $0.answer = .busy }
        let services = workshop.services
        services.onCommit { services.state.withLock { $0.answer = .taken } }
        _ = try failure(of: source)
        #expect(workshop.committed == ["a 1.0", "a 1.0"])
        #expect(workshop.services.commits.flatMap(\.rejections).count == 1)
    }
}
