import SondeTestKit
import Testing

@testable import PcapPlugin

/// Every byte of a capture file changed, and every file cut anywhere, through the whole of an analysis.
@Suite(.timeLimit(.minutes(5)))
struct CaptureMutationTests {
    /// How many places of a longer file are changed.
    private static let places = 40

    @Test(arguments: MutationFixture.small)
    func everyByteMayHaveAnyValue(_ fixture: InspectFixture) throws {
        let whole = try #require(CaptureFuzzInput.report(fixture.bytes))
        var malformed: UInt64 = 0
        for place in fixture.bytes.indices {
            let old = fixture.bytes[place]
            for value in [0, 0xff, old ^ 0x01, old ^ 0x20] as [UInt8] {
                guard let report = CaptureFuzzInput.report(fixture.changed(place, to: value)) else { continue }
                let broken = ReportInvariants.broken(report, size: UInt64(fixture.bytes.count))
                if !broken.isEmpty { Issue.record("byte \(place) = \(value): \(broken)") }
                malformed += report.malformed
            }
            expectInvariants(fixture, place, ~old, .live)
        }
        #expect(whole.malformed == 0 && malformed > 0)
    }

    @Test(arguments: InspectFixture.all)
    func placesOfLongerFilesMayHaveAnyValue(_ fixture: InspectFixture) {
        let step = max(1, fixture.bytes.count / Self.places) | 1
        for (number, place) in stride(from: 0, to: fixture.bytes.count, by: step).enumerated() {
            let use: CaptureFuzzInput.Use = number % 2 == 0 ? .report : .live
            expectInvariants(fixture, place, ~fixture.bytes[place], use)
        }
    }

    /// What is there before the cut is counted, and the cut is reported, unless it is between two packets.
    @Test(arguments: MutationFixture.small)
    func aFileMayEndAnywhere(_ fixture: InspectFixture) throws {
        let whole = try #require(CaptureFuzzInput.report(fixture.bytes))
        #expect(whole.failure == nil)
        var packets: UInt64 = 0
        var sound = 0
        for length in fixture.bytes.indices {
            let file = Array(fixture.bytes.prefix(length))
            #expect(CaptureFuzzInput.brokenInvariants(of: file, .live) == [], "cut at \(length)")
            guard let report = CaptureFuzzInput.report(file) else { continue }
            #expect(ReportInvariants.broken(report, size: UInt64(length)) == [], "cut at \(length)")
            #expect(report.packets >= packets && report.packets <= whole.packets, "cut at \(length)")
            packets = report.packets
            if report.failure == nil { sound += 1 }
        }
        #expect(packets == whole.packets - 1)
        // Behind the head of the file, and behind each packet but the last.
        #expect(sound >= Int(whole.packets) && sound <= Int(whole.packets) + 3)
    }

    private func expectInvariants(
        _ fixture: InspectFixture, _ place: Int, _ value: UInt8, _ use: CaptureFuzzInput.Use
    ) {
        let broken = CaptureFuzzInput.brokenInvariants(of: fixture.changed(place, to: value), use)
        if !broken.isEmpty { Issue.record("byte \(place) = \(value): \(broken)") }
    }
}

extension InspectFixture {
    /// The file with another byte.
    fileprivate func changed(_ place: Int, to value: UInt8) -> [UInt8] {
        var changed = bytes
        changed[place] = value
        return changed
    }
}
