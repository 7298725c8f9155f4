import Foundation
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@testable import StdoutPlugin

struct StdoutSinkTests {
    private let pipe = TestPipe()
    private var descriptor: Int32 { pipe.writeEnd.fileDescriptor }

    @Test(arguments: ["json", "influx", "prometheus"])
    func lineFormatsAskForMetrics(_ format: String) throws {
        let harness = try PluginHarness(sonde_plugin_stdout(), options: ["format": .string(format)])
        #expect(harness.host.preferredSend == 1)
    }

    @Test func theTableAsksForSnapshots() throws {
        #expect(try PluginHarness(sonde_plugin_stdout(), options: ["format": .string("table")]).host.preferredSend == 2)
        #expect(try PluginHarness(sonde_plugin_stdout()).host.preferredSend == 2)
    }

    @Test(arguments: ["format", "color"])
    func anUnknownWordNamesItsOption(_ option: String) {
        let error = #expect(throws: PluginError.self) {
            try PluginHarness(sonde_plugin_stdout(), options: [option: .string("xml")])
        }
        #expect(error?.optionPath == option)
        #expect(error?.failureClass == .configuration)
    }

    @Test func itDescribesItselfAsALiveSink() throws {
        let description = try PluginHarness(sonde_plugin_stdout()).description
        #expect(description.contains(#""delivery":"live""#))
        #expect(description.contains(#""name":"stdout""#))
    }

    @Test func pointsBecomeLines() throws {
        let harness = try TestedSink.harness(to: descriptor, ["format": .string("json")])
        try harness.deliver(.points(2))
        let lines = [1, 2].map { value in
            #"{"time":"2026-01-01T00:00:10.000Z","name":"system.network.io","kind":"counter","unit":"By","#
                + #""value":\#(value),"attributes":{"network.interface.name":"lo"},"host":"web-1"}"# + "\n"
        }
        #expect(try pipe.drain() == lines.joined())
        #expect(harness.delivery == .complete)
    }

    @Test func pointsThatTheFormatCannotSayAreReported() throws {
        let harness = try TestedSink.harness(to: descriptor, ["format": .string("influx")])
        try harness.deliver(.points(3, first: UInt64(Int64.max) - 1))
        #expect(try pipe.drain().split(separator: "\n").count == 2)
        #expect(harness.delivery.rejectedPoints == 1)
        #expect(!harness.delivery.message.isEmpty)
    }

    @Test func theTableTakesNoPoints() throws {
        let harness = try TestedSink.harness(to: descriptor)
        try harness.deliver(.points(3))
        #expect(try pipe.drain().isEmpty)
        #expect(harness.delivery.rejectedPoints == 3)
    }

    @Test func aPipeGetsOneBlockPerBatch() throws {
        let harness = try TestedSink.harness(to: descriptor)
        try harness.deliver(.documents(fixture("snapshot.json")))
        #expect(try pipe.drain() == fixture("table.txt") + "\n\n")
        try harness.deliver(.documents(fixture("connections.json"), first: 2))
        let second = try pipe.drain()
        #expect(second.contains("Connections") && !second.contains("Bandwidth"))
    }

    @Test func aTerminalIsPaintedInPlace() throws {
        let harness = try TestedSink.harness(to: descriptor, ["columns": .integer(80), "rows": .integer(24)])
        try harness.deliver(.documents(fixture("bandwidth.json")))
        let first = try pipe.drain()
        #expect(first.hasPrefix(String(repeating: "\n", count: 24) + "\u{1b}[H\u{1b}[K"))
        #expect(first.hasSuffix("\n\u{1b}[J"))
        try harness.deliver(.documents(fixture("snapshot.json"), first: 2))
        let second = try pipe.drain()
        #expect(second.hasPrefix("\u{1b}[H\u{1b}[K"))
        #expect(second.contains("Bandwidth") && second.contains("Connections"))
    }

    @Test func aFrameNeverScrollsTheWindow() throws {
        for rows in 4...30 {
            let options: [String: FakeHost.Option] = ["columns": .integer(60), "rows": .integer(Int64(rows))]
            let harness = try TestedSink.harness(to: descriptor, options)
            try harness.deliver(.documents(fixture("snapshot.json")))
            let frame = try #require(try pipe.drain().components(separatedBy: "\u{1b}[H").last)
            #expect(frame.utf8.count { $0 == 0x0a } < rows)
        }
    }

    @Test(arguments: [
        ("auto", false, true), ("auto", true, false), ("always", true, true), ("never", false, false),
    ])
    func colorIsWantedOrNot(_ color: String, _ isUnwanted: Bool, _ isExpected: Bool) throws {
        let options: [String: FakeHost.Option] = [
            "color": .string(color), "no_color": .bool(isUnwanted), "columns": .integer(80), "rows": .integer(24),
        ]
        let harness = try TestedSink.harness(to: descriptor, options)
        try harness.deliver(.documents(fixture("bandwidth.json")))
        #expect(try pipe.drain().contains("\u{1b}[1m") == isExpected)
    }

    @Test func aPipeGetsNoColorUnlessAsked() throws {
        for (color, isExpected) in [("auto", false), ("always", true)] {
            let harness = try TestedSink.harness(to: descriptor, ["color": .string(color)])
            try harness.deliver(.documents(fixture("bandwidth.json")))
            #expect(try pipe.drain().contains("\u{1b}") == isExpected)
        }
    }

    @Test func brokenDocumentsBecomeANote() throws {
        let harness = try TestedSink.harness(to: descriptor)
        try harness.deliver(.documents("{", fixture("connections.json")))
        let text = try pipe.drain()
        #expect(text.contains("! a snapshot could not be read: unexpected end at byte 1"))
        #expect(text.contains("established"))
        #expect(harness.host.log.count == 1)
    }
}
