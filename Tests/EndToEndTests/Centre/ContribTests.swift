import Foundation
import Testing

/// Dashboards, rules and configurations of contrib/: what a team at the centre copies is right.
struct ContribTests {
    private static func expectNoProblems(_ check: CentreCheck, _ room: Turnstile.Room = .one) async throws {
        try await Workspace.use(room) { workspace in
            let result = try await check.run(workspace)
            #expect(result.end == .exited(0), "\(result.output)\(result.errors)")
        }
    }

    @Test func inContinuousIntegrationEveryCheckIsPossible() {
        guard ProcessInfo.processInfo.environment["CI"] != nil else { return }
        for check in [CentreCheck.stale, .names, .rules, .dashboards, .vmagent] {
            #expect(check.isPossible, "\(check)")
        }
    }

    @Test(.enabled(if: CentreCheck.stale.isPossible, "python3"))
    func dashboardsAreWhatTheirSourcesSay() async throws {
        try await Self.expectNoProblems(.stale)
    }

    @Test(.enabled(if: CentreCheck.names.isPossible, "python3"))
    func dashboardsAndRulesAskForMetricsThatExist() async throws {
        try await Self.expectNoProblems(.names)
    }

    @Test(.enabled(if: CentreCheck.rules.isPossible, "make servers"))
    func everyAlertFiresWhenItShouldAndOnlyThen() async throws {
        try await Self.expectNoProblems(.rules, .oneForLong)
    }

    @Test(.enabled(if: CentreCheck.dashboards.isPossible, "root, make servers, unbound, dnsperf"))
    func noPanelIsEmptyWithWhatARealAgentSends() async throws {
        try await Self.expectNoProblems(.dashboards, .oneForLong)
    }

    @Test(.enabled(if: CentreCheck.vmagent.isPossible, "root, make servers"))
    func vmagentPassesOnWhatTheAgentSends() async throws {
        try await Self.expectNoProblems(.vmagent)
    }
}
