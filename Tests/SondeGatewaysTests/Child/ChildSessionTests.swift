import Foundation
import SondeDomain
import SondeEngine
import Testing

@testable import SondeGateways

/// How long the agent waits for a child: a script in place of one, which greets, and answers a call after half a second.
@Suite struct ChildSessionTests {
    private static let greeting = #"printf '\5\0\0\0\101\1\0\0\0' >&3"#
    private static let answer = #"sleep 0.5; printf '\2\0\0\0\101\0' >&3"#
    private static let beat = #"printf '\1\0\0\0\115' >&3"#

    private static func call(
        _ kind: ChildFrame.Kind, silence: Nanoseconds = .milliseconds(200), _ script: String...
    ) throws -> CallOutcome {
        let workshop = try PluginWorkshop()
        let lines = ["#!/bin/sh", greeting] + script + ["exec sleep 60"]
        let path = try workshop.program(lines.joined(separator: "\n"), as: "child")
        let session = try ChildSession(id: "any", silence: silence) { _, _ in
        } serve: {
            (kind, _, _) throws(ChannelFlaw) in
            guard kind == .beat else { throw .malformed("sent \(kind)") }
        }
        defer { session.process.kill() }
        try session.launch(ChildCommand(supervisor: PluginWorkshop.programs.supervisor, program: [path]))
        return try session.call(kind, .test())
    }

    @Test(arguments: [ChildFrame.Kind.collect, .tick, .deliver])
    func aCallWithADeadlineMayBeSilentUntilThen(_ kind: ChildFrame.Kind) throws {
        #expect(try Self.call(kind, Self.answer) == .completed)
    }

    @Test(arguments: [ChildFrame.Kind.run, .serve])
    func aStreamThatIsSilentIsEnded(_ kind: ChildFrame.Kind) throws {
        let error = #expect(throws: SondeError.self) { try Self.call(kind, Self.answer) }
        #expect(error?.code == .childBrokeProtocol)
        #expect(error?.message.contains("has not answered in 0.2 s") == true)
    }

    @Test func aStreamThatShowsThatItLivesMayLast() throws {
        // Two seconds in all; a busy machine may hold each beat up for a second.
        let beats = (0..<10).map { _ in "sleep 0.2; \(Self.beat)" }.joined(separator: "\n")
        let outcome = try Self.call(.run, silence: .milliseconds(1_200), beats, #"printf '\2\0\0\0\101\0' >&3"#)
        #expect(outcome == .completed)
    }

    @Test func aTextThatIsTooLongBreaksTheProtocol() throws {
        // A failure whose code has more bytes than any message.
        let script = #"printf '\4\100\0\0\102\200\200\1' >&3; head -c 16384 /dev/zero >&3"#
        let error = #expect(throws: SondeError.self) { try Self.call(.collect, script) }
        #expect(error?.code == .childBrokeProtocol)
        #expect(error?.message.contains("a text that is too long") == true)
    }
}
