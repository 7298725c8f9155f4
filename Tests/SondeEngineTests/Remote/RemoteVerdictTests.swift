import SondeDomain
import SondeTestKit
import Testing

@testable import SondeEngine

@Suite struct RemoteVerdictTests {
    private static let now = MonotonicInstant(nanoseconds: 5_000_000_000)

    private static func probation(
        _ reach: RemoteState.Probation.Reach = .instances(["central"]), before: Set<String> = []
    ) -> RemoteState.Probation {
        var probation = RemoteState.Probation(RemoteBench.layer(2), before: before)
        probation.reach = reach
        return probation
    }

    private static func verdict(
        _ status: InstanceStatus, _ probation: RemoteState.Probation = probation(), excused: Set<String> = []
    ) -> String {
        switch RemoteVerdict(probation, [status], excused: excused) {
        case .works: "works"
        case .unproven(let ids): "waits for \(ids.joined(separator: ", "))"
        case .broken(let error, _): "broken by \(error.component ?? "")"
        }
    }

    @Test(arguments: FailureClass.allCases)
    func onlyConfigurationAccessAndDefectsAreBrought(_ failureClass: FailureClass) {
        let status = InstanceStatus.sink("central").failing(failureClass, since: Self.now)
        let isBrought = [.configuration, .accessRefused, .programmer].contains(failureClass)
        #expect(Self.verdict(status) == (isBrought ? "broken by central" : "waits for central"))
    }

    @Test func whatFailedBeforeDoesNotCount() {
        let status = InstanceStatus.sink("central").failing(.accessRefused, since: Self.now)
        #expect(Self.verdict(status, Self.probation(before: ["central SND-HTTP401"])) == "waits for central")
        #expect(Self.verdict(status, Self.probation(before: ["central SND-HTTP404"])) == "broken by central")
        #expect(Self.verdict(status, Self.probation(before: ["other SND-HTTP401"])) == "broken by central")
    }

    @Test func whatTheChangeDoesNotReachDoesNotCount() {
        let status = InstanceStatus.sink("other").failing(.accessRefused, since: Self.now)
        #expect(Self.verdict(status) == "waits for other")
        #expect(Self.verdict(status, Self.probation(.everything)) == "broken by other")
        #expect(Self.verdict(status, Self.probation(before: ["other SND-HTTP401"])) == "works")
    }

    @Test func aSinkThatHasNotDeliveredYetProvesNothing() {
        let new = InstanceStatus(id: "central", plugin: "http", kind: .sink, at: Self.now)
        #expect(Self.verdict(new) == "waits for central")
        #expect(Self.verdict(.sink("central")) == "works")
    }

    @Test func whatIsExcusedIsNeitherJudgedNorWaitedFor() {
        let source = InstanceStatus(id: "packets", plugin: "pcap", kind: .source, at: Self.now)
        let probation = Self.probation(.everything)
        #expect(Self.verdict(source, probation) == "waits for packets")
        #expect(Self.verdict(source, probation, excused: ["packets"]) == "works")
        let failing = source.failing(.accessRefused, since: Self.now)
        #expect(Self.verdict(failing, probation, excused: ["other"]) == "broken by packets")
        #expect(Self.verdict(failing, probation, excused: ["packets"]) == "works")
    }

    @Test func aFailureThatHasEndedIsNone() {
        var status = InstanceStatus.sink("central").failing(.accessRefused, since: Self.now)
        status.recover(at: Self.now)
        #expect(Self.verdict(status) == "works")
    }

    @Test func aPartThatFailsCountsAsWell() {
        var status = InstanceStatus.sink("central")
        _ = status.reportTrouble(.fake(.configuration), since: Self.now, at: Self.now)
        #expect(Self.verdict(status) == "broken by central")
    }
}
