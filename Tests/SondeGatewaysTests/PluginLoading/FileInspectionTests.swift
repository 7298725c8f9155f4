import Foundation
import SondeDomain
import SondeEngine
import Testing

@testable import SondeGateways

/// `inspect` through the contract, with a plugin in C.
@Suite struct FileInspectionTests {
    private struct Result {
        var outcome: InspectionOutcome?
        var error: SondeError?
        var output = ""
    }

    /// Passes `head` as already read and `rest` through a pipe.
    private func inspect(_ fixture: String, head: String, rest: String = "") throws -> Result {
        let workshop = try PluginWorkshop()
        try workshop.compile(fixture)
        let plugin = try #require(try workshop.catalog().plugin(named: fixture) as? any FileInspecting)
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(rest.utf8))
        try pipe.fileHandleForWriting.close()
        let file = InspectedFile(
            descriptor: pipe.fileHandleForReading.fileDescriptor,
            head: Array(head.utf8),
            path: "the file",
            format: "json"
        )
        var result = Result()
        do throws(SondeError) {
            result.outcome = try plugin.inspect(file, services: RecordingServices(), .test()) { bytes in
                result.output += String(decoding: bytes, as: UTF8.self)
                return true
            }
        } catch {
            result.error = error
        }
        return result
    }

    @Test func thePluginGetsTheBeginningAndThenTheRest() throws {
        let result = try inspect("inspecting", head: "mine, ", rest: "all of it")
        #expect(result.outcome == .completed)
        #expect(result.output == "json mine, all of it")
    }

    @Test func aFileOfAnotherKindIsNoFailureOfThePlugin() throws {
        let result = try inspect("inspecting", head: "yours")
        guard case .unsuited(let reason) = result.outcome else {
            Issue.record("\(result)")
            return
        }
        #expect(reason.code == ErrorCode("ACME-I001"))
        #expect(reason.message == "it does not begin with mine")
        #expect(result.output == "")
    }

    @Test func aFailureComesAfterWhatWasWritten() throws {
        let result = try inspect("inspecting", head: "mine ", rest: "torn")
        #expect(result.error?.code == ErrorCode("ACME-I002"))
        #expect(result.error?.message == "the file is torn")
        #expect(result.error?.stage == .inspect)
        #expect(result.output == "json mine torn")
    }

    @Test func aCancelledInspectionIsNoFailure() throws {
        #expect(try inspect("inspecting", head: "mine ", rest: "stop").outcome == .cancelled)
    }

    @Test func aPluginThatReadsNoFilesIsPassedBy() throws {
        #expect(try inspect("loadavg", head: "mine").outcome == .notOffered)
    }
}
