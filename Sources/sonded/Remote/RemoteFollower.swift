internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import SondeGateways

/// The thread that follows the remote configuration; there is none unless `agent.remote` is set.
struct RemoteFollower {
    // Milliseconds.
    private static let pause: Int32 = 20

    private let follow: FollowRemoteConfiguration
    private let timer: Timer

    /// Nil where there is no remote configuration; what keeps it from being followed is shown.
    init?(
        _ remote: RemoteConfiguration,
        _ session: Session,
        _ parts: AppContainer.SharedParts,
        _ requests: ReconfigureRequests,
        _ log: any EventLog
    ) {
        guard let path = session.arguments.configPath, remote.settings.url != nil else { return nil }
        let programs = ChildPrograms.installed
        let dependencies = FollowRemoteConfiguration.Dependencies(
            configuration: remote,
            source: RemoteFetch(remote.settings, programs: programs, version: Version.text),
            check: RemoteCheckProcess(
                path, pluginDirectories: session.arguments.pluginDirectories, programs: programs),
            instances: { parts.board.statuses },
            reload: { Self.reload(requests) }
        )
        let follow = FollowRemoteConfiguration(
            agent: parts.agent, on: dependencies, clock: session.clock, log: log)
        parts.board.watch(agent: { follow.failures })
        parts.board.watch(remote: { follow.status })
        // Without a place for what is in force an old file could be taken for a new one.
        guard remote.isFollowed, let timer = try? Timer() else { return nil }
        (self.follow, self.timer) = (follow, timer)
    }

    /// The remote configuration that an agent keeps in its state directory.
    static func makeConfiguration(log: any EventLog) -> RemoteConfiguration {
        RemoteConfiguration(log: log) { (directory) throws(SondeError) in try RemoteStateFile(openingIn: directory) }
    }

    /// Starts the thread, which ends with the process: what it does may be cut off at any point.
    func start() throws(SondeError) {
        try PluginThread(name: "remote") { [follow, timer] in
            while true {
                timer.arm(at: follow.step())
                timer.wait()
            }
        }.detach()
    }

    /// A level of saving restarts these: what fails from then on is not what the remote configuration brought.
    func excuse(_ ids: Set<String>) { follow.excuse(ids) }

    private static func reload(_ requests: ReconfigureRequests) -> Reconfigure.Outcome {
        let number = requests.make()
        while true {
            if let outcome = requests.outcome(of: number) { return outcome }
            poll(nil, 0, pause)
        }
    }
}
