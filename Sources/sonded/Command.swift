/// The commands of the daemon, by the words that `sonde` calls them.
enum Command: String, CaseIterable {
    case run
    case check
    case once
    case inspect
    case pluginsList = "plugins-list"
    case pluginsDescribe = "plugins-describe"
    case configShow = "config-show"
    case version
    case status
    case spoolStatus = "spool-status"
    case spoolList = "spool-list"
    case spoolShow = "spool-show"
    case spoolReplay = "spool-replay"
    case spoolPurge = "spool-purge"
    case history
    case export
    case snapshot
    case watch
    case retry
    case reload

    /// Whether a word without a dash belongs to it: a plugin's name, or a file's.
    var needsName: Bool { [.pluginsDescribe, .inspect, .retry].contains(self) }

    /// Carries it out.
    func run(_ session: Session) -> ExitCode {
        switch self {
        case .run: RunCommand(session: session).run()
        case .check: CheckCommand(session: session).run()
        case .once: OnceCommand(session: session).run()
        case .inspect: InspectCommand(session: session).run(session.arguments.name ?? "")
        case .pluginsList: PluginsCommand(session: session).list()
        case .pluginsDescribe: PluginsCommand(session: session).describe(session.arguments.name ?? "")
        case .configShow: ConfigShowCommand(session: session).run()
        case .version: VersionCommand(session: session).run()
        case .status: StatusCommand(session: session).run()
        case .spoolStatus: StatusCommand(session: session).spool()
        case .spoolList: SpoolListCommand(session: session).run()
        case .spoolShow: SpoolShowCommand(session: session).run()
        case .spoolReplay: SpoolReplayCommand(session: session).run()
        case .spoolPurge: SpoolPurgeCommand(session: session).run()
        case .history: HistoryCommand(session: session).run()
        case .export: ExportCommand(session: session).run()
        case .snapshot: SnapshotCommand(session: session).run()
        case .watch: SnapshotCommand(session: session).watch()
        case .retry: RetryCommand(session: session).run(session.arguments.name ?? "")
        case .reload: ReloadCommand(session: session).run()
        }
    }
}
