import Foundation
import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

/// What a child may do wrong before it has an instance: each is a script in place of the child's program.
@Suite struct ChildPluginTests {
    private static func refusal(_ script: String) throws -> SondeError? {
        let workshop = try PluginWorkshop()
        let path = try workshop.program("#!/bin/sh\n\(script)", as: "child")
        let programs = ChildPrograms(supervisor: PluginWorkshop.programs.supervisor, child: path)
        do throws(SondeError) {
            _ = try ChildPlugin(named: "any", in: [workshop.directory], programs, log: workshop.log)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("exit 3", ErrorCode.pluginObjectCrashes, "exited with status 3"),
        ("kill -9 $$", .childEnded, "was ended by signal 9, Killed"),
        ("exec 3>&-; sleep 60", .childBrokeProtocol, "closed its channel"),
        ("printf 'x' >&3; exit 0", .pluginObjectCrashes, "exited with status 0"),
        ("printf 'no frame at all' >&3; sleep 60", .childBrokeProtocol, "sent a frame of 1713401710 bytes"),
        (#"printf '\0\0\0\0\101' >&3; sleep 60"#, .childBrokeProtocol, "sent a frame of 0 bytes"),
        (#"printf '\1\0\0\0\377' >&3; sleep 60"#, .childBrokeProtocol, "sent a frame of the unknown kind 255"),
        (#"printf '\1\0\0\0\101' >&3; sleep 60"#, .childBrokeProtocol, "sent a frame that has too little"),
        (#"printf '\5\0\0\0\101\2\0\0\0' >&3; sleep 60"#, .childBrokeProtocol, "speaks version 2.0 of the protocol"),
        (#"printf '\1\0\0\0\105' >&3; sleep 60"#, .childBrokeProtocol, "of kind 69 before it had an instance"),
        (
            #"printf '\5\0\0\0\101\1\0\0\0\1\0\0\0\101' >&3; sleep 60"#, .childBrokeProtocol,
            "sent a frame that has too little"
        ),
        (#"printf '\1\0\0\0\102' >&3; sleep 60"#, .childBrokeProtocol, "sent a frame that has too little"),
    ])
    func aChildThatBreaksTheProtocolIsRefused(_ script: String, _ code: ErrorCode, _ words: String) throws {
        let error = try #require(try Self.refusal(script))
        #expect(error.code == code)
        #expect(error.message.contains(words), "\(error.message)")
    }

    @Test func aProgramThatCannotBeExecutedIsOfTheConfiguration() throws {
        let programs = ChildPrograms(supervisor: PluginWorkshop.programs.supervisor, child: "/nonexistent/sonded")
        let error = #expect(throws: SondeError.self) {
            try ChildPlugin(named: "any", in: [], programs, log: LineLog())
        }
        #expect(error?.code == .childEnded)
        #expect(error?.failureClass == .configuration)
        #expect(error?.message.contains("No such file or directory") == true)
    }

    @Test func whatAChildWritesToStandardErrorIsLogged() throws {
        let workshop = try PluginWorkshop()
        let path = try workshop.program("#!/bin/sh\necho one >&2; printf 'two\nthree' >&2; exit 1", as: "child")
        let programs = ChildPrograms(supervisor: PluginWorkshop.programs.supervisor, child: path)
        #expect(throws: SondeError.self) { try ChildPlugin(named: "any", in: [], programs, log: workshop.log) }
        let texts = workshop.log.lines
        #expect(
            ["one", "two", "three"].allSatisfy { word in texts.contains { $0.hasSuffix("standard error: \(word)") } })
    }
}
