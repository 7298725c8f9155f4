import Foundation
import Glibc
import Testing

/// `sonde plugins test` with the plugins that are shipped.
@Suite struct PluginTestCommandTests {
    /// The rules that did not pass, each with what was seen.
    private static func unkept(
        _ workspace: Workspace, _ plugin: String, options: String
    ) async throws -> [String: String] {
        let file = try workspace.write("\(plugin).yaml", options)
        let object = "\(Checkout.buildFolder)/lib\(plugin).so"
        // A thousand lives may take half a minute, and the rules that watch clocks another.
        let tester = try workspace.start(
            [Checkout.sonde, "plugins", "test", object, "--options", file, "--format", "json"], as: "tester")
        let end = try await tester.waitForEnd(within: .seconds(300))
        let output = workspace.read("tester.out")
        let json = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
        #expect(json?["plugin"] as? String == plugin)
        var unkept: [String: String] = [:]
        for rule in try #require(json?["rules"] as? [[String: Any]]) where rule["result"] as? String != "pass" {
            let seen = rule["seen"] as? String ?? ""
            // On a machine that does much else.
            if rule["result"] as? String == "skipped", seen.hasPrefix("a life takes so long") { continue }
            unkept[try #require(rule["rule"] as? String)] = seen
        }
        // Where a plugin cannot work, nothing is shown.
        #expect(end == .exited(unkept["works"] == nil ? 0 : 1), "\(output) \(workspace.read("tester.err"))")
        return unkept
    }

    @Test func procnetKeepsEveryRule() async throws {
        try await Workspace.use(.oneForLong) { workspace in
            let unkept = try await Self.unkept(workspace, "procnet", options: "sockets: count\n")
            #expect(unkept == [:])
        }
    }

    @Test func dnslogKeepsEveryRule() async throws {
        try await Workspace.use(.oneForLong) { workspace in
            let log = try workspace.write("unbound.log", "[1767225600] unbound[1:0] info: start of service\n")
            let unkept = try await Self.unkept(workspace, "dnslog", options: "path: \(log)\n")
            #expect(unkept == [:])
        }
    }

    /// Without the privilege to capture, what needs it is skipped.
    @Test func pcapKeepsEveryRule() async throws {
        try await Workspace.use(.oneForLong) { workspace in
            let unkept = try await Self.unkept(workspace, "pcap", options: "interface: lo\n")
            #expect(unkept["works"]?.hasPrefix("it cannot work here: ") ?? (unkept == [:]), "\(unkept)")
        }
    }

    /// Without the privilege to load programs, or tracefs, what needs them is skipped.
    @Test func dropsKeepsEveryRule() async throws {
        try await Workspace.use(.oneForLong) { workspace in
            // Detaching takes the kernel a moment, and there are many starts: one tracepoint will do.
            let others = ["drops", "retransmissions", "resets_sent", "resets_received"]
            let options = others.map { "\($0): false\n" }.joined()
            let unkept = try await Self.unkept(workspace, "drops", options: options)
            #expect(unkept["works"]?.hasPrefix("it cannot work here: ") ?? (unkept == [:]), "\(unkept)")
        }
    }

    @Test func scrapeKeepsEveryRule() async throws {
        try await Workspace.use { workspace in
            let (holder, port) = try Loopback.reservedPort()
            close(holder)
            let unkept = try await Self.unkept(workspace, "scrape", options: "listen: 127.0.0.1:\(port)\n")
            // A second one has no port to listen at, and no other side is asked for.
            #expect(unkept.keys.sorted() == ["two-instances", "unreachable"], "\(unkept)")
        }
    }

    @Test func stdoutKeepsEveryRule() async throws {
        try await Workspace.use { workspace in
            let unkept = try await Self.unkept(workspace, "stdout", options: "format: json\n")
            #expect(unkept == ["unreachable": "no option holds a URL or an absolute path"])
        }
    }

    @Test func fileKeepsEveryRule() async throws {
        try await Workspace.use { workspace in
            let unkept = try await Self.unkept(workspace, "file", options: "path: \(workspace.path("out.ndjson"))\n")
            #expect(Set(unkept.keys) == ["two-instances"])
            #expect(unkept["two-instances"]?.contains("SND-FIL006") == true)
        }
    }

    @Test(arguments: ["json", "influx", "prometheus_remote_write", "otlp"])
    func httpKeepsEveryRule(_ format: String) async throws {
        try await ScriptedReceiver.use([.answer(204)]) { receiver in
            try await Workspace.use { workspace in
                let options = "url: \(receiver.url)\nformat: \(format)\n"
                let unkept = try await Self.unkept(workspace, "http", options: options)
                #expect(unkept == [:])
            }
        }
    }

    @Test(arguments: ["json", "otlp"])
    func kafkaKeepsEveryRule(_ format: String) async throws {
        try await Workspace.use(.oneForLong) { workspace in
            let cluster = try await KafkaCluster(workspace)
            let brokers = cluster.brokers.joined(separator: ", ")
            let options = "brokers: [\(brokers)]\ntopic: sonde\nformat: \(format)\n"
            let unkept = try await Self.unkept(workspace, "kafka", options: options)
            #expect(unkept == ["unreachable": "no option holds a URL or an absolute path"])
        }
    }

    @Test func aBrokenRuleIsShownAndWrittenAsJUnit() async throws {
        try await Workspace.use { workspace in
            let folder = try await CPluginTests.compile("deaths", in: workspace)
            let options = try workspace.write("options.yaml", "deed: segfault\n")
            let result = try await workspace.run([
                Checkout.sonde, "plugins", "test", "\(folder)/deaths.so", "--options", options, "--junit",
                workspace.path("report.xml"),
            ])
            #expect(result.end == .exited(1))
            // Four readings are one more than it survives; every rule has a process of its own.
            #expect(result.output.contains("FAIL     values\n"))
            #expect(result.output.contains("was ended by signal 11"))
            #expect(result.output.contains("pass     works\n"))
            #expect(XMLDocumentShape.isWellFormed(workspace.read("report.xml")))
            #expect(
                workspace.read("report.xml").contains("<testcase classname=\"sonde.plugin.deaths\" name=\"values\""))
        }
    }

    /// A program, by its path and with its arguments; what shows nothing has not passed.
    @Test(arguments: [
        (#"echo "{\"name\":\"acme.load\",\"value\":$1}""#, ["1.5"], "0 failed, 0 skipped\n", Int32(0)),
        (#"echo "{\"name\":\"acme.load\",\"value\":$1}""#, ["one"], "FAIL     works\n", 1),
        ("exit 0", [], "nothing is shown while 'works' is not checked\n", 1),
    ])
    func aProgramIsTested(_ script: String, _ arguments: [String], _ words: String, _ code: Int32) async throws {
        try await Workspace.use { workspace in
            let program = try workspace.write("probe", "#!/bin/sh\n\(script)\n")
            chmod(program, 0o755)
            let result = try await workspace.run([Checkout.sonde, "plugins", "test", program, "--"] + arguments)
            #expect(result.end == .exited(code), "\(result)")
            #expect(result.output.contains(words), "\(result)")
            #expect(result.output.hasPrefix("probe (\(program))\n"), "\(result)")
        }
    }

    @Test func wrongOptionsEndWith78AndTheirPlace() async throws {
        try await Workspace.use { workspace in
            let options = try workspace.write("options.yaml", "format: json\ncolour: never\n")
            let result = try await workspace.sonde("plugins", "test", "stdout", "--options", options)
            #expect(result.end == .exited(78))
            #expect(result.errors.contains("options.yaml:2:1: error[SND-CFG012]"))
            #expect(result.output == "")
        }
    }

    @Test func whatIsNoPluginIsRefused() async throws {
        try await Workspace.use { workspace in
            let text = try workspace.write("text.so", "no object")
            let refused = try await workspace.run([Checkout.sonde, "plugins", "test", text])
            #expect(refused.end == .exited(1))
            #expect(refused.output.contains("FAIL     description\n"))
            let absent = try await workspace.run([Checkout.sonde, "plugins", "test", "/nonexistent/a.so"])
            #expect(absent.end == .exited(64))
            let unknown = try await workspace.sonde("plugins", "test", "no_such_plugin")
            #expect(unknown.end == .exited(78))
            #expect(unknown.errors.contains("SND-PLG001"))
        }
    }
}

/// A check of tags only: every element that begins ends, in order.
private enum XMLDocumentShape {
    static func isWellFormed(_ text: String) -> Bool {
        var open: [Substring] = []
        guard text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") else { return false }
        for match in text.matches(of: /<(\/?)([a-z]+)([^<>]*?)(\/?)>/) {
            if match.1 == "/" {
                guard open.popLast() == match.2 else { return false }
            } else if match.4.isEmpty {
                open.append(match.2)
            }
        }
        return open.isEmpty && !text.contains("\u{0}")
    }
}
