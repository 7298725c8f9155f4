internal import SondeDomain
public import SondeEngine

extension StatusState {
    /// What a running agent says of itself, its spool, its sources and sinks, as findings.
    public var findings: [Finding] {
        let own = (agentFailures + spoolFailures).map { $0.finding(.agent, nil) }
        let name = ["the agent answers", version.map { "version \($0)" }].compactMap(\.self).joined(separator: ", ")
        return [Finding(.agent, .good, name)] + own + instances.flatMap(\.findings)
    }
}

extension StatusState.Instance {
    fileprivate var findings: [Finding] {
        // Only sinks have a queue.
        let area: Finding.Area = queue == nil ? .source : .sink
        guard isFailing else {
            return area == .source ? [Finding(.source, .good, "collects", component: id)] : []
        }
        guard !failures.isEmpty else {
            return [Finding(area, .problem, "is \(state ?? "in no known state")", component: id)]
        }
        return failures.map { $0.finding(area, id) }
    }
}

extension StatusState.Failure {
    fileprivate func finding(_ area: Finding.Area, _ component: String?) -> Finding {
        let place = place.map { [Finding.Fix(.yaml, ["# \($0)"])] } ?? []
        return Finding(
            area, .problem, message, component: component, code: ErrorCode(code),
            fixes: recovery.map { Finding.Fix(.advice, [$0]) } + place)
    }
}
