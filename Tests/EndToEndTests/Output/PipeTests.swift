import Foundation
import Glibc
import Testing

/// Standard output that leads into a pipe.
@Suite struct PipeTests {
    /// Starts `sonde` with its output in a pipe and its errors in the file `agent.err`.
    private static func start(_ arguments: [String], in workspace: Workspace) throws -> (ProcessGroup, ByteStream) {
        let pipe = try Loopback.pipe()
        defer { close(pipe.write) }
        let stream = ByteStream(pipe.read)
        let errors = open(workspace.path("agent.err"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        defer { close(errors) }
        let process = try workspace.start(
            [Checkout.sonde] + arguments + Workspace.pluginDirectory,
            streams: ProcessGroup.Streams(output: pipe.write, errors: errors)
        )
        return (process, stream)
    }

    private static func configuration(_ format: String) -> String {
        """
        version: 1
        agent: { interval: 100ms, host: "probe 1", log: { level: error } }
        sources: [{ id: kernel, plugin: procnet, level: all }]
        sinks: [{ id: console, plugin: stdout, format: \(format), batch: { wait: 20ms } }]

        """
    }

    /// Lets an agent write in a format until `count` lines have come, stops it, and returns all of its output.
    private static func output(_ format: String, _ count: Int, in workspace: Workspace) async throws -> String {
        let file = try workspace.write("sonde.yaml", configuration(format))
        let (process, stream) = try start(["run", "-c", file], in: workspace)
        try await stream.read(until: "\(count) lines") { $0.utf8.count { $0 == 0x0a } >= count }
        process.send(SIGTERM)
        try await eventually("the end of the output") { stream.drain().isEmpty || stream.isAtEnd }
        #expect(try await process.waitForEnd() == .exited(0))
        #expect(workspace.errors(of: "agent") == "")
        return stream.text
    }

    @Test func aReaderThatGoesAfterTheFirstBlockEndsTheAgentQuietly() async throws {
        try await Workspace.use { workspace in
            let (process, stream) = try Self.start(["run"], in: workspace)
            try await stream.read(until: "the first block") { $0.contains("\n\nConnections") && $0.hasSuffix("\n\n") }
            stream.close()
            #expect(try await process.waitForEnd() == .exited(0))
            // On a machine that does much else, a second passes without it.
            let errors = workspace.errors(of: "agent").split(separator: "\n")
            #expect(errors.filter { !$0.contains(" collections were missed, ") } == [])
            #expect(stream.text.hasPrefix("sonde  "))
            #expect(!stream.text.contains("\u{1b}"))
        }
    }

    @Test func aReaderThatReadsNoFurtherCannotHoldTheStop() async throws {
        try await Workspace.use { workspace in
            let text = Self.configuration("json").replacing("agent: { ", with: "agent: { shutdown_grace: 1s, ")
            let file = try workspace.write("sonde.yaml", text)
            let (process, stream) = try Self.start(["run", "-c", file], in: workspace)
            // A pipe holds 64 KiB, pipe(7).
            try await eventually("the pipe is full") { stream.waiting > 60_000 }
            process.send(SIGTERM)
            let began = ContinuousClock.now
            #expect(try await process.waitForEnd() == .exited(0))
            #expect(ContinuousClock.now - began <= .seconds(3))
            #expect(PointLine.whole(stream.drain()).allSatisfy { (try? PointLine($0)) != nil })
        }
    }

    @Test func everyLineOfJSONIsAPoint() async throws {
        try await Workspace.use { workspace in
            let output = try await Self.output("json", 2_000, in: workspace)
            #expect(output.hasSuffix("\n"))
            let points = try PointLine.all(output)
            #expect(points.count >= 2_000)
            #expect(points.allSatisfy { $0.host == "probe 1" && $0.value != nil })
            #expect(
                points.contains { $0.name == "system.network.io" && $0.attributes?["network.interface.name"] == "lo" })
        }
    }

    @Test func everyLineOfInfluxIsAPoint() async throws {
        try await Workspace.use { workspace in
            let output = try await Self.output("influx", 2_000, in: workspace)
            #expect(output.hasSuffix("\n"))
            let form = /[^ ,]+(,[^ ,=]+=([^ ,=\\]|\\[ ,=\\])+)* value=-?[0-9.e+-]+i? [0-9]{19}/
            let wrong = PointLine.whole(output).filter { $0.wholeMatch(of: form) == nil }
            #expect(wrong == [])
            #expect(output.contains(#",host=probe\ 1,"#))
        }
    }

    @Test func everyLineOfPrometheusBelongsToTheFamilyBeforeIt() async throws {
        try await Workspace.use { workspace in
            let output = try await Self.output("prometheus", 2_000, in: workspace)
            #expect(output.hasSuffix("\n"))
            var family = ""
            let form =
                /([a-z_:][a-z0-9_:]*)\{[a-z_][a-z0-9_]*="[^"]*"(,[a-z_][a-z0-9_]*="[^"]*")*\} -?[0-9.e+-]+ [0-9]{13}/
            for line in PointLine.whole(output) {
                if let type = line.wholeMatch(of: /# TYPE ([a-z0-9_:]+) (counter|gauge)/) {
                    family = String(type.1)
                } else {
                    let name = line.wholeMatch(of: form).map { String($0.1) }
                    guard name != family else { continue }
                    Issue.record("\(line) does not belong to \(family)")
                }
            }
            #expect(family != "")
        }
    }
}
