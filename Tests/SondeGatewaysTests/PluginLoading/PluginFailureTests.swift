import Foundation
import SondeDomain
import SondeEngine
import Testing

@testable import SondeGateways

/// What becomes of the errors that plugins return.
struct PluginFailureTests {
    private func failure(_ mode: String) throws -> SondeError? {
        let workshop = try PluginWorkshop()
        let source = try workshop.source("failing", mode: mode, services: RecordingServices())
        return #expect(throws: SondeError.self) { try source.collect(.test()) }
    }

    @Test func carriesEverythingThatThePluginSays() throws {
        let error = try #require(try failure("full"))
        #expect(
            error
                == SondeError(
                    ErrorCode("ACME-X001"),
                    stage: .collect,
                    class: .rateLimited,
                    message: "told to wait",
                    recovery: [.advise("ask for more")],
                    component: "under test",
                    optionPath: "hosts[2]",
                    retryAfter: .seconds(5)
                )
        )
    }

    @Test func namesTheFailureOfAPluginThatSaysNothing() throws {
        let error = try #require(try failure("blank"))
        #expect(error.code == .pluginErrorUnnamed)
        #expect(error.failureClass == .programmer)
        #expect(!error.message.isEmpty)
        #expect(error.optionPath == nil)
        #expect(error.retryAfter == nil)
    }

    @Test func readsFieldsWithoutAnEndUpToTheirSize() throws {
        let error = try #require(try failure("unterminated"))
        #expect(error.code == ErrorCode(String(repeating: "A", count: 24)))
        #expect(error.failureClass == .programmer)
        #expect(error.optionPath == String(repeating: "o", count: 104))
        #expect(error.message == String(repeating: "\u{FFFD}", count: 512))
        #expect(error.retryAfter == nil)
    }

    @Test func doesNotTakeControlCharactersForACode() throws {
        #expect(try failure("control")?.code == .pluginErrorUnnamed)
    }

    @Test func refusesAStatusThatTheContractDoesNotKnow() throws {
        let error = try #require(try failure("status"))
        #expect(error.code == .pluginContractBroken)
        #expect(error.message.contains("42"))
    }

    @Test func reportsAFailedCreateAsConfiguration() throws {
        let workshop = try PluginWorkshop()
        let error = #expect(throws: SondeError.self) {
            try workshop.source("failing", mode: "create full", services: RecordingServices())
        }
        #expect(error?.stage == .configuration)
        #expect(error?.code == ErrorCode("ACME-X001"))
    }

    @Test func givesUpACreateThatDoesNotReturn() throws {
        let workshop = try PluginWorkshop()
        let error = #expect(throws: SondeError.self) {
            try workshop.source("failing", mode: "create and hang", services: RecordingServices())
        }
        #expect(error?.code == .pluginOverstays)
        #expect(error?.component == "under test")
        #expect(error?.message == "plugin failing, instance under test has not returned from create in 10.0 s")
    }

    @Test func leavesADestroyBehindThatDoesNotReturn() throws {
        let workshop = try PluginWorkshop()
        let services = RecordingServices()
        let source = try workshop.source("failing", mode: "destroy and hang", services: services)
        source.close()
        #expect(services.lines.contains { $0.hasPrefix("error: SND-PLG026: plugin failing, instance under test") })
    }

    @Test func isNotCancelledByItself() throws {
        let workshop = try PluginWorkshop()
        let source = try workshop.source("failing", mode: "cancel", services: RecordingServices())
        let never = Pipe()
        let call = CallConditions.test(cancelDescriptor: never.fileHandleForReading.fileDescriptor)
        let error = #expect(throws: SondeError.self) { try source.collect(call) }
        #expect(error?.message == "the plugin returned SONDE_CANCELLED without being cancelled")
        never.fileHandleForWriting.closeFile()
        #expect(try source.collect(call) == .cancelled)
    }

    @Test func startsAgainAfterAFailedStart() throws {
        let workshop = try PluginWorkshop()
        let calls = workshop.path("calls")
        let source = try workshop.source(
            "failing",
            mode: "full",
            options: ["path": .string(calls)],
            services: RecordingServices()
        )
        let error = #expect(throws: SondeError.self) { try source.start() }
        #expect(error?.stage == .start)
        try source.start()
        #expect(throws: SondeError.self) { try source.collect(.test()) }
        source.close()
        source.close()
        #expect(try String(contentsOfFile: calls, encoding: .utf8) == "start start collect destroy ")
    }

    @Test func destroysAnInstanceThatIsForgotten() throws {
        let workshop = try PluginWorkshop()
        let calls = workshop.path("calls")
        do {
            _ = try workshop.source("failing", options: ["path": .string(calls)], services: RecordingServices())
        }
        #expect(try String(contentsOfFile: calls, encoding: .utf8) == "destroy ")
    }

    @Test func refusesCallsAfterTheEnd() throws {
        let workshop = try PluginWorkshop()
        let source = try workshop.source("failing", mode: "fine", services: RecordingServices())
        source.close()
        #expect(throws: SondeError.self) { try source.collect(.test()) }
    }
}
