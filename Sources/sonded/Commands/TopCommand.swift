internal import Glibc
internal import SondeDomain
internal import SondeFormats
internal import SondeGateways
internal import SondePresentation

/// `top`: the dashboard of a running agent, live on a terminal, or once elsewhere.
struct TopCommand {
    let session: Session

    func run() throws(SondeError) -> ExitCode {
        let dashboard = LiveDashboard(paths: try AgentQuery(session: session).paths())
        return Self.hasScreen ? try TopLoop(dashboard).run() : try once(dashboard)
    }

    /// Whether standard output is a terminal that can move its cursor.
    private static var hasScreen: Bool {
        guard isatty(STDOUT_FILENO) == 1, let name = getenv("TERM") else { return false }
        return strcmp(name, "dumb") != 0
    }

    /// Prints one frame, once all of it is there.
    private func once(_ dashboard: LiveDashboard) throws(SondeError) -> ExitCode {
        while true {
            if let failure = dashboard.state.snapshot.failure { throw failure.error }
            if dashboard.state.isSettled { break }
            wait(for: dashboard)
        }
        let size = TableSize(columns: StandardStream.terminalColumns ?? 100, rows: nil)
        return StandardStream.output(DashboardView(dashboard.state, size: size).lines)
    }

    private func wait(for dashboard: LiveDashboard) {
        if let connection = dashboard.descriptor {
            var entry = pollfd(fd: connection.number, events: Int16(POLLIN), revents: 0)
            if connection.hasUnsent { entry.events |= Int16(POLLOUT) }
            if poll(&entry, 1, dashboard.idleMilliseconds) > 0 { dashboard.receive() }
        }
        dashboard.apply(.tick)
    }
}
