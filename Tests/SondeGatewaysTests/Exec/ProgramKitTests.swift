import Foundation
import SondeDomain
import SondeEngine
import Synchronization
import Testing

@testable import SondeGateways

/// The helpers in `sdk/`, in programs as their heads show them.
@Suite struct ProgramKitTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
    private let workshop: ProgramWorkshop

    init() throws { workshop = try ProgramWorkshop() }

    private func run(_ command: [String], _ options: [Attribute] = []) throws {
        let source = try workshop.source(
            "",
            [
                "command": .list(command), "mode": .string("stream"), "format": .string("sonde"),
                "options": .map(options),
                "env": .list(["PYTHONPATH=\(Self.root)/sdk/python", "PYTHONDONTWRITEBYTECODE=1"]),
            ])
        let cancel = try CancelSignal()
        workshop.services.onCommit { cancel.cancel() }
        try source.start()
        #expect(try source.run(workshop.call(cancel: cancel.descriptor)) == .cancelled)
        source.close()
    }

    private func check() {
        #expect(workshop.committed.first == "acme.queue.length 12.0")
        let series = workshop.services.series.first
        #expect(series?.unit == "{message}")
        #expect(series?.attributes == [Attribute("queue", "mail \"x\"")])
        #expect(workshop.services.commits.first?.checkpoint == Array("p1".utf8))
        #expect(workshop.services.lines.first == "warning: hello")
        #expect(workshop.services.losses == [])
    }

    @Test func aSourceInPython() throws {
        let script = try workshop.script(
            #"""
            import sonde
            source = sonde.Source()
            source.log("hello", "warning")
            for _ in source.ticks():
                source.sample("acme.queue.length", 12, unit="{message}", attributes={"queue": source.options["queue"]})
                source.commit("p1")
            """#, "/usr/bin/python3")
        try run([script], [Attribute("queue", "mail \"x\"")])
        check()
    }

    @Test func aSourceInTheShell() throws {
        let script = try workshop.script(
            #"""
            . \#(Self.root)/sdk/sh/sonde.sh
            sonde_begin
            sonde_log hello warning
            while sonde_running; do
                sonde_sample "acme.queue.$(sonde_option what)" 12 '{message}' gauge 'queue=mail "x"'
                sonde_commit p1 || exit 0
                sonde_wait 0.05
            done
            """#)
        try run([script], [Attribute("other", "1"), Attribute("what", "length")])
        check()
    }

    @Test(arguments: [
        ("/usr/bin/python3", "import sonde\nsonde.Source().fail('no server', 'configuration', option='server')"),
        ("/bin/sh", ". \(root)/sdk/sh/sonde.sh; sonde_begin; sonde_fail 'no server' configuration"),
    ]) func aFailureIsTyped(_ interpreter: String, _ text: String) throws {
        let source = try workshop.source(
            "",
            [
                "command": .list([try workshop.script(text, interpreter)]), "format": .string("sonde"),
                "env": .list(["PYTHONPATH=\(Self.root)/sdk/python", "PYTHONDONTWRITEBYTECODE=1"]),
            ])
        let error = try #require(workshop.failure(of: source))
        #expect(error.code == .programReported)
        #expect(error.failureClass == .configuration)
        #expect(error.message == "no server")
    }
}
