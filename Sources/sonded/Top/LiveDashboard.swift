internal import SondeGateways
internal import SondePresentation

/// A dashboard and its connection to the agent.
final class LiveDashboard {
    private let connection: AgentConnection
    private let session: DashboardSession

    /// A dashboard of the agent at the first of `paths` where one answers.
    init(paths: [String]) {
        connection = AgentConnection(paths: paths)
        session = DashboardSession(TopPort(connection), clock: SystemClock())
    }

    var state: DashboardState { session.state }
    var hasEnded: Bool { session.hasEnded }
    var idleMilliseconds: Int32 { session.idleMilliseconds }

    /// The connection to wait for; nil: there is none now.
    var descriptor: (number: Int32, hasUnsent: Bool)? {
        connection.descriptor.map { ($0, connection.hasUnsent) }
    }

    func apply(_ intent: DashboardIntent) {
        session.apply(intent)
    }

    /// Takes what has arrived from the agent.
    func receive() {
        for reply in connection.receive() { session.apply(DashboardIntent(reply)) }
    }
}
