import Foundation
import SondeTestKit
import Testing

@testable import PcapPlugin

/// Every count of a report is equal to that of tshark's decoding.
@Suite(.enabled(if: TsharkReport.isInstalled, "tshark is not installed"))
struct TsharkReportTests {
    @Test(arguments: InspectFixture.all)
    func everyCountIsTsharks(_ fixture: InspectFixture) async throws {
        try await expectAgreement(fixture.bytes)
    }

    @Test(.enabled(if: Iproute.isUsable, "needs root and ip(8)"), arguments: RecordedCapture.Kind.allCases)
    func everyCountOfARecordedCaptureIsTsharks(_ kind: RecordedCapture.Kind) async throws {
        let frames = InspectFixture.recordable + (kind.hasLinkHeaders ? InspectFixture.doubleTagged : [])
        let capture = try await RecordedCapture.make(kind, of: frames)
        let report = try FlatReport(capture)
        #expect(report.counts["packets"] == Double(frames.count))
        try await expectAgreement(capture)
    }

    private func expectAgreement(_ capture: [UInt8]) async throws {
        let report = try FlatReport(capture)
        let expected = try await TsharkReport(capture).counts
        #expect(report.error == nil)
        for key in Set(report.counts.keys).union(expected.keys).sorted() {
            let (ours, theirs) = (report.counts[key] ?? .nan, expected[key] ?? .nan)
            #expect(abs(ours - theirs) < 1e-9, "\(key): we count \(ours), tshark \(theirs)")
        }
    }
}
