import Foundation
import SondeDomain
import SondeEngine
import Synchronization
import Testing

@testable import SondeGateways

struct CSourceInstanceTests {
    @Test(arguments: Isolation.allCases) func collectsFromThePluginOfTheGuide(_ isolation: Isolation) throws {
        let workshop = try PluginWorkshop(isolation)
        let services = RecordingServices()
        try Data("0.25 0.50 0.75 1/100 4242\n".utf8).write(to: URL(fileURLWithPath: workshop.path("load")))
        let source = try workshop.source(
            "loadavg",
            options: ["path": .string(workshop.path("load"))],
            services: services
        )
        try source.start()
        #expect(try source.collect(.test()) == .completed)
        source.close()
        #expect(services.series == [SeriesSpecification(name: "acme.load", kind: .gauge, unit: "1")])
        #expect(services.commits == [.init(samples: [Sample(series: 1, value: .double(0.25))])])
        #expect(!source.isStreaming)
        #expect(!source.offersTick)
    }

    @Test(arguments: Isolation.allCases) func reportsTheFailureOfThePluginOfTheGuide(_ isolation: Isolation) throws {
        let workshop = try PluginWorkshop(isolation)
        let source = try workshop.source(
            "loadavg",
            options: ["path": .string(workshop.path("absent"))],
            services: RecordingServices()
        )
        let error = #expect(throws: SondeError.self) { try source.collect(.test()) }
        #expect(error?.code == ErrorCode("ACME-L001"))
        #expect(error?.failureClass == .configuration)
        #expect(error?.optionPath == "path")
        #expect(error?.component == "under test")
    }

    @Test(arguments: Isolation.allCases) func takesValidSamplesAndCountsTheOthers(_ isolation: Isolation) throws {
        let workshop = try PluginWorkshop(isolation)
        let services = RecordingServices()
        let source = try workshop.source("samples", mode: "mixed", services: services)
        _ = try source.collect(.test())
        let histogram = try #require(HistogramValue(bounds: [1, 2], counts: [3, 4, 5], sum: 20.5))
        let time = Timestamp(nanoseconds: 1_234)
        #expect(
            services.commits == [
                .init(
                    samples: [
                        Sample(series: 1, time: time, value: .unsigned(.max)),
                        Sample(series: 1, time: time, value: .signed(-5)),
                        Sample(series: 1, time: time, value: .double(0.5)),
                        Sample(series: 1, time: time, value: .histogram(histogram)),
                    ],
                    rejections: [.notFinite, .notFinite, .wrongType].map { SampleRejection(series: 1, reason: $0) }
                        + (0..<3).map { _ in SampleRejection(series: 1, reason: .malformedHistogram) }
                        + [SampleRejection(series: 0, reason: .malformedRecord)]
                )
            ])
    }

    @Test(arguments: Isolation.allCases) func walksSamplesOfALaterVersionByTheirOwnSize(_ isolation: Isolation) throws {
        let workshop = try PluginWorkshop(isolation)
        let services = RecordingServices()
        _ = try workshop.source("samples", mode: "later", services: services).collect(.test())
        #expect(services.commits.first?.samples.map(\.value) == [.unsigned(1), .unsigned(2)])
        #expect(services.commits.first?.rejections == [])
    }

    @Test(arguments: Isolation.allCases) func countsSamplesThatAreTooShortAsInvalid(_ isolation: Isolation) throws {
        let workshop = try PluginWorkshop(isolation)
        let services = RecordingServices()
        _ = try workshop.source("samples", mode: "short", services: services).collect(.test())
        #expect(
            services.commits == [.init(samples: [], rejections: [SampleRejection(series: 0, reason: .malformedRecord)])]
        )
    }

    @Test(arguments: [
        ("many", "more than 1000000 samples"), ("negative", "more than 1000000 samples"), ("null", "at NULL"),
        ("checkpoint", "more than 65536 bytes"),
    ])
    func failsTheCallThatCommitsWhatCannotBe(_ mode: String, _ message: String) throws {
        let workshop = try PluginWorkshop()
        let services = RecordingServices()
        let source = try workshop.source("samples", mode: mode, services: services)
        let error = #expect(throws: SondeError.self) { try source.collect(.test()) }
        #expect(error?.code == .pluginContractBroken)
        #expect(error?.failureClass == .programmer)
        #expect(error?.message.contains(message) == true)
        #expect(services.commits.isEmpty)
        #expect(services.lines == ["info: status 2"])
    }

    @Test(arguments: Isolation.allCases) func tellsThePluginWhatTheCommitCameTo(_ isolation: Isolation) throws {
        let workshop = try PluginWorkshop(isolation)
        let services = RecordingServices()
        services.state.withLock { $0.answer = .busy }
        _ = try workshop.source("samples", mode: "later", services: services).collect(.test())
        #expect(services.lines == ["info: status 1"])
    }

    @Test(arguments: Isolation.allCases) func streamsUntilCancelledAndResumesFromItsCheckpoint(_ isolation: Isolation)
        throws
    {
        let workshop = try PluginWorkshop(isolation)
        let services = RecordingServices()
        services.state.withLock { $0.checkpoint = Array("offset 5".utf8) }
        let source = try workshop.source("streaming", services: services)
        #expect(source.isStreaming)
        let cancel = Pipe()
        try cancel.fileHandleForWriting.close()
        let call = CallConditions.test(cancelDescriptor: cancel.fileHandleForReading.fileDescriptor)
        #expect(try source.run(call) == .cancelled)
        #expect(services.lines.contains("info: resumed at offset 5 (8)"))
        #expect(services.commits == [.init(samples: [], checkpoint: Array("offset 9".utf8))])
        #expect(
            services.losses == [
                Loss(reason: "rotated_away", component: "under test", from: Timestamp(nanoseconds: 5))
            ]
        )
    }

    @Test(arguments: Isolation.allCases) func turnsAwayAThreadThatIsNotInsideACall(_ isolation: Isolation) throws {
        let workshop = try PluginWorkshop(isolation)
        let services = RecordingServices()
        let source = try workshop.source("streaming", services: services)
        let cancel = Pipe()
        try cancel.fileHandleForWriting.close()
        _ = try source.run(.test(cancelDescriptor: cancel.fileHandleForReading.fileDescriptor))
        #expect(services.lines.contains("info: elsewhere: status 2"))
        #expect(services.lines.contains { $0.hasPrefix("error: SND-PLG022") && $0.contains("thread") })
    }

    @Test(arguments: Isolation.allCases) func hasEmptyCheckpointsButNoneOfNothing(_ isolation: Isolation) throws {
        let workshop = try PluginWorkshop(isolation)
        let services = RecordingServices()
        services.state.withLock { $0.checkpoint = [] }
        let source = try workshop.source("streaming", services: services)
        let cancel = Pipe()
        try cancel.fileHandleForWriting.close()
        let call = CallConditions.test(cancelDescriptor: cancel.fileHandleForReading.fileDescriptor)
        _ = try source.run(call)
        #expect(services.lines.contains("info: resumed at  (0)"))
        let fresh = RecordingServices()
        let other = try workshop.catalog().plugin(named: "streaming")
        _ = try other.makeSource(id: "x", options: OptionValues(), services: fresh).run(call)
        #expect(!fresh.lines.contains { $0.contains("resumed") })
    }

    @Test(arguments: Isolation.allCases) func ticksAndPassesOnOnlyPossiblePeriods(_ isolation: Isolation) throws {
        let workshop = try PluginWorkshop(isolation)
        let services = RecordingServices()
        let source = try workshop.source("streaming", services: services)
        #expect(source.offersTick)
        #expect(try source.tick(.test()) == .completed)
        let cancel = Pipe()
        try cancel.fileHandleForWriting.close()
        _ = try source.run(.test(cancelDescriptor: cancel.fileHandleForReading.fileDescriptor))
        #expect(services.lines.contains("info: tick 1 0"))
        #expect(services.state.withLock { $0.period } == .milliseconds(20))
    }
}
