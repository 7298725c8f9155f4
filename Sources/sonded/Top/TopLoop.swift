internal import Glibc
internal import SondeDomain
internal import SondeFormats
internal import SondeGateways
internal import SondePresentation

/// Shows a dashboard on the terminal, and waits for keys, signals and the agent, until the end.
struct TopLoop {
    private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    private let dashboard: LiveDashboard
    private let signals: SignalReader
    private let screen: FullScreen

    init(_ dashboard: LiveDashboard) throws(SondeError) {
        self.dashboard = dashboard
        // Before the terminal is changed: from now on no signal ends the process without giving it back.
        signals = try SignalReader(Self.ending + [SIGWINCH, SIGTSTP, SIGCONT])
        screen = FullScreen(output: STDOUT_FILENO, input: STDIN_FILENO, color: StandardStream.outputColor)
    }

    func run() -> ExitCode {
        var keyboard = KeyReader()
        show()
        while !dashboard.hasEnded {
            var entries = [pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)]
            entries.append(pollfd(fd: screen.keyboardDescriptor ?? -1, events: Int16(POLLIN), revents: 0))
            let connection = dashboard.descriptor
            let writing = connection?.hasUnsent ?? false ? Int16(POLLOUT) : 0
            entries.append(pollfd(fd: connection?.number ?? -1, events: Int16(POLLIN) | writing, revents: 0))
            let count = poll(&entries, nfds_t(entries.count), dashboard.idleMilliseconds)
            if count > 0, entries[0].revents != 0, let signal = takeSignals() { return end(by: signal) }
            if count > 0, entries[1].revents != 0, !takeKeys(&keyboard) { break }
            if count > 0, entries[2].revents != 0 { dashboard.receive() }
            dashboard.apply(.tick)
            show()
        }
        screen.suspend()
        return .ok
    }

    private func show() {
        let size = screen.size
        var view = DashboardView(dashboard.state, size: size)
        if view.rowRoom != dashboard.state.pageSize {
            dashboard.apply(.fit(rows: view.rowRoom))
            view = DashboardView(dashboard.state, size: size)
        }
        screen.show(view.lines)
    }

    /// False: the terminal is gone.
    private func takeKeys(_ keyboard: inout KeyReader) -> Bool {
        guard let bytes = screen.keys() else { return false }
        for key in keyboard.keys(in: bytes) {
            if let intent = DashboardKeys.intent(of: key, in: dashboard.state) { dashboard.apply(intent) }
        }
        return true
    }

    /// The signal that ends the process; nil: there was none.
    private func takeSignals() -> Int32? {
        while let signal = signals.next() {
            switch signal {
            case SIGWINCH: screen.invalidate()
            case SIGCONT: screen.resume()
            case SIGTSTP:
                screen.suspend()
                raise(SIGSTOP)
                screen.resume()
            default: return signal
            }
        }
        return nil
    }

    /// Ctrl-C is one of the ways to quit; by any other signal the process ends as if it had not been caught.
    private func end(by number: Int32) -> ExitCode {
        dashboard.apply(.quit)
        screen.suspend()
        guard number != SIGINT else { return .ok }
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        signal(number, SIG_DFL)
        raise(number)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        return .failure
    }
}
