import Foundation
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@testable import DNSLogPlugin

@Suite struct DNSLogSourceTests {
    private let log = FileManager.default.temporaryDirectory.appending(path: "sonde-\(UUID().uuidString).log")

    private func write(_ lines: [String]) throws {
        let text = lines.map { "[1795223093] unbound[1:0] \($0)\n" }.joined()
        if let handle = try? FileHandle(forWritingTo: log) {
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(text.utf8))
        } else {
            try Data(text.utf8).write(to: log)
        }
    }

    /// Runs an instance until it has committed once.
    private func run(
        _ options: [String: FakeHost.Option] = [:], checkpoint: [UInt8]? = nil
    ) throws -> PluginHarness {
        var all: [String: FakeHost.Option] = ["path": .string(log.path), "start": .string("beginning")]
        all.merge(options) { $1 }
        let harness = try PluginHarness(sonde_plugin_dnslog(), options: all)
        harness.host.checkpoint = checkpoint
        harness.host.commitAnswers = [.taken, .stopping]
        try harness.start()
        #expect(try harness.run(interval: .milliseconds(20)) == .cancelled)
        return harness
    }

    private func value(_ harness: PluginHarness, _ name: String, _ attributes: [String: String] = [:]) -> SampleValue? {
        harness.host.commits.first?.first { sample in
            sample.name == name
                && attributes.allSatisfy { pair in
                    sample.attributes.contains { $0.name == pair.key && $0.value == pair.value }
                }
        }?.value
    }

    @Test func whatALogTellsIsCommittedWithHowFarItWasRead() throws {
        defer { try? FileManager.default.removeItem(at: log) }
        try write([
            "query: 192.0.2.1 a.example. A IN", "reply: 192.0.2.1 a.example. A IN NOERROR 0.000294 0 60",
            "query: 192.0.2.1 b.example. AAAA IN", "reply: 192.0.2.1 b.example. AAAA IN SERVFAIL 0.5 0 60", "nonsense",
        ])
        let harness = try run()
        #expect(value(harness, "sonde.dns.resolver.query.count", ["network.type": "ipv4"]) == .unsigned(2))
        #expect(value(harness, "sonde.dns.resolver.question.count", ["sonde.dns.qtype": "AAAA"]) == .unsigned(1))
        #expect(value(harness, "sonde.dns.resolver.response.count", ["sonde.dns.rcode": "SERVFAIL"]) == .unsigned(1))
        #expect(value(harness, "sonde.dns.resolver.failure.count", ["error.type": "servfail"]) == .unsigned(1))
        #expect(value(harness, "sonde.dns.log.line.count", ["sonde.dns.resolver": "unbound"]) == .unsigned(5))
        #expect(harness.host.checkpoint != nil)

        try write(["query: 192.0.2.1 c.example. A IN"])
        let second = try run(checkpoint: harness.host.checkpoint)
        #expect(value(second, "sonde.dns.log.line.count") == .unsigned(1))
    }

    @Test func namesAndClientsAreToldAsFarAsPrivacyAllows() throws {
        defer { try? FileManager.default.removeItem(at: log) }
        try write(["query: 192.0.2.77 www.a.example. A IN", "reply: 192.0.2.77 www.a.example. A IN SERVFAIL 0.1 0 60"])
        let full = try run()
        #expect(
            value(full, "sonde.dns.resolver.top.name.interval.queries", ["sonde.dns.name": "www.a.example"])
                == .unsigned(1))
        #expect(
            value(full, "sonde.dns.resolver.top.failing_name.interval.failures", ["sonde.dns.name": "www.a.example"])
                == .unsigned(1))
        let domain = try run(["privacy": .string("domain")])
        #expect(
            value(domain, "sonde.dns.resolver.top.name.interval.queries", ["sonde.dns.name": "a.example"])
                == .unsigned(1))
        #expect(
            value(domain, "sonde.dns.resolver.top.client.interval.queries", ["client.address": "192.0.2.0/24"])
                == .unsigned(1)
        )
        let none = try run(["privacy": .string("none")])
        #expect(none.host.commits.joined().allSatisfy { !$0.name.hasPrefix("sonde.dns.top.") })
        let hashed = try run(["privacy": .string("hashed")])
        #expect(
            value(hashed, "sonde.dns.resolver.top.name.interval.queries", ["sonde.dns.name": "www.a.example"]) == nil)
        #expect(value(hashed, "sonde.dns.resolver.top.name.interval.queries") == .unsigned(1))
    }

    @Test func whyAFormatWasChosenAndWhatCannotBeReadIsInTheLog() throws {
        defer { try? FileManager.default.removeItem(at: log) }
        try write(["query: 192.0.2.1 a.example. A IN", "query: 192.0.2.1 a.example. A"])
        let lines = try run().host.log.joined(separator: "\n")
        #expect(lines.contains("the format is unbound: '[1795223093] unbound[1:0] query: 192.0.2.1 a.example. A IN'"))
        #expect(lines.contains("SND-DLG003"))
    }

    @Test(
        arguments: [
            ["path": .string("relative.log")], ["paths": .list(["/a.log", "/a.log"])],
            ["path": .string("/var/*/a.log")], ["paths": .list(["/a.log", "/lo[gs]/b.log"])],
            ["path": .string("/a.log"), "failures": .list(["timeout"])],
        ] as [[String: FakeHost.Option]])
    func optionsThatCannotBeUsedAreRefused(_ options: [String: FakeHost.Option]) {
        #expect { try PluginHarness(sonde_plugin_dnslog(), options: options) } throws: { error in
            (error as? PluginError)?.code == "SND-DLG001"
        }
    }

    @Test func aLogThatIsNotThereIsAFailureUntilItComes() throws {
        defer { try? FileManager.default.removeItem(at: log) }
        let options: [String: FakeHost.Option] = ["path": .string(log.path), "start": .string("end")]
        let harness = try PluginHarness(sonde_plugin_dnslog(), options: options)
        try harness.start()
        for _ in 0..<2 {
            #expect {
                try harness.run(interval: .milliseconds(20))
            } throws: { error in
                let error = error as? PluginError
                return error?.code == "SND-DLG002" && error?.failureClass == .configuration
                    && error?.message == "nothing is at '\(log.path)'" && error?.retryAfter == .seconds(2)
            }
        }
        // That nothing is open is reported as well, and once.
        #expect(value(harness, "sonde.dns.log.file.open") == .unsigned(0))
        try write(["query: 192.0.2.1 a.example. A IN", "reply: 192.0.2.1 a.example. A IN NOERROR 0.000294 0 60"])
        harness.host.commitAnswers = [.taken, .stopping]
        #expect(try harness.run(interval: .milliseconds(20)) == .cancelled)
        // It was not there when the source began: everything in it is new.
        let last = try #require(harness.host.commits.last)
        #expect(last.contains { $0.name == "sonde.dns.resolver.query.count" && $0.value == .unsigned(1) })
    }

    @Test func oneLogOfSeveralAndAWildcardMayBeMissing() throws {
        defer { try? FileManager.default.removeItem(at: log) }
        try write(["query: 192.0.2.1 a.example. A IN"])
        for paths in [[log.path, "\(log.path).gone"], ["\(log.path).*"]] {
            let harness = try PluginHarness(sonde_plugin_dnslog(), options: ["paths": .list(paths)])
            harness.host.commitAnswers = [.taken, .taken, .stopping]
            try harness.start()
            #expect(try harness.run(interval: .milliseconds(20)) == .cancelled)
        }
    }

    @Test func aSourceWithoutALogDoesNotStart() throws {
        let harness = try PluginHarness(sonde_plugin_dnslog())
        #expect(throws: PluginError.self) { try harness.start() }
    }
}
