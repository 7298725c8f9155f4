internal import SondeDomain
internal import SondeEngine
internal import SondeGateways

/// The commands of the daemon, by the names that `sonde` uses.
enum Command: String, CaseIterable {
    case run
    case check
    case once
    case top
    case inspect
    case pluginsList = "plugins list"
    case pluginsDescribe = "plugins describe"
    case pluginsTest = "plugins test"
    case configShow = "config show"
    case configSchema = "config schema"
    case version
    case status
    case spoolStatus = "spool status"
    case spoolList = "spool list"
    case spoolShow = "spool show"
    case spoolReplay = "spool replay"
    case spoolPurge = "spool purge"
    case history
    case export
    case changes
    case snapshot
    case watch
    case series
    case explain
    case doctor
    case retry
    case reload
    case record
    case replay

    /// Executes it; failures are reported on standard error.
    func run(_ session: Session) -> ExitCode {
        do throws(SondeError) {
            return try carryOut(session)
        } catch {
            session.startupLog.log(.error, error)
            return ExitCode(asking: error)
        }
    }

    private func carryOut(_ session: Session) throws(SondeError) -> ExitCode {
        switch self {
        case .run: RunCommand(session: session).run()
        case .check: try CheckCommand(session: session).run()
        case .once: OnceCommand(session: session).run()
        case .top: try TopCommand(session: session).run()
        case .inspect: InspectCommand(session: session).run(session.arguments.name ?? "")
        case .pluginsList: PluginsCommand(session: session).list()
        case .pluginsDescribe: PluginsCommand(session: session).describe(session.arguments.name ?? "")
        case .pluginsTest: try PluginTestCommand(session: session).run(session.arguments.name ?? "")
        case .configShow: ConfigShowCommand(session: session).run()
        case .configSchema: ConfigSchemaCommand(session: session).run()
        case .version: VersionCommand().run()
        case .status: try StatusCommand(session: session).run()
        case .spoolStatus: try StatusCommand(session: session).spool()
        case .spoolList: try SpoolListCommand(session: session).run()
        case .spoolShow: try SpoolShowCommand(session: session).run()
        case .spoolReplay: try SpoolReplayCommand(session: session).run()
        case .spoolPurge: try SpoolPurgeCommand(session: session).run()
        case .history where ["csv", "ndjson"].contains(session.arguments.formatWord):
            try ExportCommand(session: session).run()
        case .history: try HistoryCommand(session: session).run()
        case .export: try ExportCommand(session: session).run()
        case .changes: try ChangesCommand(session: session).run()
        case .snapshot: try SnapshotCommand(session: session).run()
        case .watch: try SnapshotCommand(session: session).watch()
        case .series: try SeriesCommand(session: session).run()
        case .explain: try ExplainCommand(session: session).run(session.arguments.name ?? "")
        case .doctor: try DoctorCommand(session: session).run()
        case .retry: try RetryCommand(session: session).run(session.arguments.name ?? "")
        case .reload: try ReloadCommand(session: session).run()
        case .record: try RecordCommand(session: session).run(session.arguments.name ?? "")
        case .replay: try ReplayCommand(session: session).run(session.arguments.name ?? "")
        }
    }
}
