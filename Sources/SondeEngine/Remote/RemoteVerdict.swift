public import SondeDomain

/// What the state of all instances says of a remote configuration on probation.
public enum RemoteVerdict: Hashable, Sendable {
    /// Everything that it can have broken works.
    case works
    /// It has neither worked nor failed: these wait for others, such as a centre that is down.
    case unproven([String])
    /// It has broken something.
    case broken(SondeError, since: MonotonicInstant)

    /// Judges a probation by what instances say, except those that are excused.
    public init(_ probation: RemoteState.Probation, _ instances: [InstanceStatus], excused: Set<String> = []) {
        var unproven: [String] = []
        for status in instances {
            let isReached = probation.reach.contains(status.id) && !excused.contains(status.id)
            let failing = status.lasting.filter { !probation.before.contains(Self.key(status.id, $0.error)) }
            if isReached, let brought = failing.first(where: { $0.error.failureClass.isBroughtByConfiguring }) {
                self = .broken(brought.error.of(status.id), since: brought.since)
                return
            }
            // A sink that fails for other reasons proves nothing about what it is sent.
            let mustWork = isReached || status.kind == .sink && !failing.isEmpty
            if mustWork, status.isUp != true || !failing.isEmpty { unproven.append(status.id) }
        }
        self = unproven.isEmpty ? .works : .unproven(unproven)
    }

    /// What fails now, as a probation remembers it.
    static func failing(_ instances: [InstanceStatus]) -> Set<String> {
        Set(instances.flatMap { status in status.lasting.map { key(status.id, $0.error) } })
    }

    private static func key(_ id: String, _ error: SondeError) -> String { "\(id) \(error.code.text)" }
}

extension RemoteState.Probation.Reach {
    func contains(_ id: String) -> Bool {
        switch self {
        case .everything: true
        case .instances(let ids): ids.contains(id)
        }
    }

    /// What either reaches.
    func union(_ other: Self) -> Self {
        guard case .instances(let one) = self, case .instances(let two) = other else { return .everything }
        return .instances(one.union(two))
    }

    /// What a reload has changed.
    init(_ report: Reconfigure.Report) {
        let changed = [report.sources, report.sinks].flatMap { $0.added + $0.changed }
        self = report.agentKeys.contains("labels") ? .everything : .instances(Set(changed))
    }
}

extension InstanceStatus {
    /// Whether it has done what it should, and nothing of it fails.
    var works: Bool { isUp == true && lastSuccess != nil && lasting.isEmpty }

    /// What fails now.
    fileprivate var lasting: [Failure] {
        [failure, hang].compactMap { $0 }.filter { $0.ended == nil } + troubles
    }
}
