internal import SondeDomain
internal import SondeEngine
internal import SondeFormats
internal import SondeGateways
internal import SondePresentation

/// `status` and `spool-status`: the status of a running agent.
struct StatusCommand {
    let session: Session

    /// Shows the agent, its sources and sinks, what is broken and what was lost.
    func run() throws(SondeError) -> ExitCode {
        try answer("status", for: "status") { value in
            let state = StatusState(value)
            let shown = show(value) { StatusView(state, columns: $0).lines }
            return session.arguments.isCheck && state.isFailing ? .failure : shown
        }
    }

    /// Shows what waits for each sink.
    func spool() throws(SondeError) -> ExitCode {
        try answer("spool.status", for: "spool") { value in
            show(value) { SpoolStatusView(SpoolStatusState(value), columns: $0).lines }
        }
    }

    private func answer(
        _ request: String,
        for key: String,
        _ use: (JSONValue) -> ExitCode
    ) throws(SondeError) -> ExitCode {
        use(try AgentQuery(session: session).ask(request, for: key))
    }

    private func show(_ value: JSONValue, as lines: (Int) -> [StyledLine]) -> ExitCode {
        switch session.arguments.format {
        case .json:
            var json = JSONWriter()
            json.value(value)
            return StandardStream.output(json.bytes + [0x0a])
        case .table:
            var buffer = ByteBuffer()
            for line in lines(StandardStream.outputColumns) {
                line.append(to: &buffer, color: StandardStream.outputColor)
                buffer.append(0x0a)
            }
            return StandardStream.output(buffer.bytes)
        }
    }
}
