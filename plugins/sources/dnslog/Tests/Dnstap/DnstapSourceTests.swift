import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@testable import DNSLogPlugin

/// The source with `format: dnstap`, as the configuration makes it.
@Suite struct DnstapSourceTests {
    private let folder: LogFolder

    init() throws {
        folder = try LogFolder()
    }

    private func options(_ more: [String: FakeHost.Option] = [:]) -> [String: FakeHost.Option] {
        ["format": .string("dnstap"), "path": .string(folder.file("tap"))].merging(more) { $1 }
    }

    private static let question = DNSMessageBuilder().asking("a.example").bytes

    @Test func whatASenderTellsIsCounted() throws {
        let source = try RunningSource(options(["top": .integer(5)]))
        let sender = try DnstapSender(folder.file("tap"))
        sender.send(ControlFrame.bytes(.start, content: .dnstap))
        sender.send(DnstapBuilder.frame(DnstapBuilder.clientQuery(Self.question).payload))
        sender.send(DnstapBuilder.frame(DnstapBuilder.clientResponse(Self.question).payload))
        sender.send(DnstapBuilder.frame([0xff]))
        try source.run { source.sum("sonde.dns.dnstap.frame.count") == 3 }
        #expect(
            source.sum("sonde.dns.resolver.query.count", ["sonde.dns.resolver": "dnstap", "network.transport": "udp"])
                == 1)
        #expect(source.sum("sonde.dns.resolver.response.count", ["sonde.dns.rcode": "NOERROR"]) == 1)
        #expect(source.histogramCount("sonde.dns.resolver.response.duration") == 1)
        #expect(source.sum("sonde.dns.dnstap.frame.malformed") == 1)
        // The messages contain the resolver's address.
        let asked = ["server.address": "192.0.2.1", "server.port": "53"]
        #expect(source.sum("sonde.dns.resolver.address", asked) == 1)
        #expect(source.log.contains { $0.contains("SND-DLG003: a frame of dnstap") })
    }

    @Test func sendersOfSomethingElseAreNamedOnceAndCounted() throws {
        let source = try RunningSource(options())
        for count in UInt64(1)...3 {
            let sender = try DnstapSender(folder.file("tap"))
            sender.send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
            try source.run { source.sum("sonde.dns.dnstap.connection.broken") == count }
        }
        #expect(source.log.filter { $0.hasPrefix("warning: SND-DLG010") }.count == 1)
    }

    @Test func aSenderTooManyIsNamedAndCounted() throws {
        let source = try RunningSource(options())
        let senders = try (0...DnstapListener.connectionLimit).map { _ in try DnstapSender(folder.file("tap")) }
        try source.run { source.sum("sonde.dns.dnstap.connection.refused") == 1 }
        #expect(source.sum("sonde.dns.dnstap.connection.open") == UInt64(DnstapListener.connectionLimit))
        #expect(source.log.contains { $0.hasPrefix("warning: SND-DLG011") })
        withExtendedLifetime(senders) {}
    }

    @Test func theSocketIsTriedAgainWhenItCouldNotBeMade() throws {
        var other: DnstapListener? = try DnstapListener(folder.file("tap"), mode: 0o600)
        let harness = try PluginHarness(sonde_plugin_dnslog(), options: options())
        #expect { try harness.start() } throws: { error in
            let error = error as? PluginError
            return error?.code == "SND-DLG009" && error?.failureClass == .resource && error?.optionPath == "path"
        }
        withExtendedLifetime(other) {}
        other = nil
        try harness.start()
        _ = try DnstapSender(folder.file("tap"))
    }

    @Test func aFileInTheWayOfTheSocketStaysAndIsAnErrorOfTheConfiguration() throws {
        try folder.append("precious", to: "tap")
        let harness = try PluginHarness(sonde_plugin_dnslog(), options: options())
        #expect { try harness.start() } throws: { error in
            (error as? PluginError)?.code == "SND-DLG009" && (error as? PluginError)?.failureClass == .configuration
        }
    }

    @Test func whatWasSentWhileNobodyListenedIsALossOfAnUnknownNumber() throws {
        var checkpoint: [UInt8]?
        for life in 1...2 {
            let harness = try PluginHarness(sonde_plugin_dnslog(), options: options())
            harness.host.checkpoint = checkpoint
            harness.host.wallTime = Timestamp(seconds: 1_767_225_600 + Int64(life) * 100)
            harness.host.commitAnswers = [.taken, .stopping]
            try harness.start()
            _ = try harness.run(interval: .milliseconds(20))
            checkpoint = harness.host.checkpoint
            #expect(harness.host.losses.map(\.reason) == (life == 1 ? [] : ["dnstap_not_heard"]))
            guard let loss = harness.host.losses.first else { continue }
            #expect(loss.from == Timestamp(seconds: 1_767_225_700))
            #expect(loss.to == Timestamp(seconds: 1_767_225_800))
            #expect(loss.count == nil)
        }
    }

    @Test func aCheckpointOfAnythingElseIsNoLoss() throws {
        for bytes in [[], [1, 2, 3], TailCheckpoint(time: Timestamp(seconds: 1), entries: []).bytes()] as [[UInt8]] {
            #expect(DnstapCheckpoint(bytes) == nil)
        }
        let time = Timestamp(nanoseconds: 1_767_225_600_123_456_789)
        #expect(DnstapCheckpoint(DnstapCheckpoint(time: time).bytes)?.time == time)
    }

    @Test(
        arguments: [
            ["path": .string("tap")], ["path": .string("-")], ["paths": .list(["/a", "/b"])],
        ] as [[String: FakeHost.Option]])
    func optionsThatFitLogsOnlyAreRefused(_ wrong: [String: FakeHost.Option]) {
        #expect { try PluginHarness(sonde_plugin_dnslog(), options: options(wrong)) } throws: { error in
            (error as? PluginError)?.code == "SND-DLG001"
        }
    }

    @Test func aSourceWithoutASocketDoesNotStart() throws {
        let harness = try PluginHarness(sonde_plugin_dnslog(), options: ["format": .string("dnstap")])
        #expect(throws: PluginError.self) { try harness.start() }
    }
}
