import Foundation
import Glibc

/// A check of Tests/Centre/check.py: what contrib/ holds, against real servers.
enum CentreCheck: String {
    case stale
    case names
    case rules
    case dashboards
    case vmagent

    /// Whether everything that it starts is installed.
    var isPossible: Bool {
        switch self {
        case .stale, .names: Python.path != nil
        case .rules: Self.hasServers && Self.promtool != nil
        case .dashboards: Self.hasServers && geteuid() == 0 && Self.has("unbound") && Self.has("dnsperf")
        case .vmagent: Self.hasServers && geteuid() == 0
        }
    }

    /// promtool, of this machine or beside the servers.
    static var promtool: String? {
        (folders + ["\(MetricServer.folder)/programs/usr/bin"]).map { "\($0)/promtool" }.first(where: isExecutable)
    }

    private static let folders = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"]

    private static let hasServers =
        Python.path != nil && MetricServer.Program.prometheus.isInstalled
        && MetricServer.Program.victoriaMetrics.isInstalled

    private static func has(_ program: String) -> Bool {
        folders.contains { isExecutable("\($0)/\(program)") }
    }

    private static func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }

    /// What it found with the programs of this build, and how it ended.
    func run(_ workspace: Workspace) async throws -> Workspace.Result {
        let script = Checkout.path("Tests/Centre/check.py")
        return try await workspace.run(
            [Python.path ?? "/usr/bin/python3", "-B", script, rawValue],
            environment: [
                "PATH": Self.folders.joined(separator: ":"), "SONDE": Checkout.sonde,
                "SONDE_PLUGINS": Checkout.buildFolder, "SONDE_SERVERS": MetricServer.folder,
            ],
            within: .seconds(180))
    }
}
