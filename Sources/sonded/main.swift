internal import Glibc
internal import SondeGateways

StandardStream.occupyClosed()

// SIGPIPE would end the process where a write to a closed pipe should end one sink.
signal(SIGPIPE, SIG_IGN)

// A hang-up asks for a reload: until somebody listens it waits, and does not end the process.
SignalReader.holdHangUps()

if let trial = TrialCall(CommandLine.arguments) { trial.linkAndEnd() }

ResidentMemory.shareOneHeap()

do {
    let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
    let session = Session(arguments: arguments)
    let code =
        switch arguments.command {
        case .run: RunCommand(session: session).run()
        case .check: CheckCommand(session: session).run()
        case .once: OnceCommand(session: session).run()
        case .inspect: InspectCommand(session: session).run(arguments.name ?? "")
        case .pluginsList: PluginsCommand(session: session).list()
        case .pluginsDescribe: PluginsCommand(session: session).describe(arguments.name ?? "")
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
        case .retry: RetryCommand(session: session).run(arguments.name ?? "")
        case .reload: ReloadCommand(session: session).run()
        }
    code.end()
} catch {
    StandardStream.error("sonded: \(error.message)")
    StandardStream.error(Arguments.usage)
    ExitCode.usage.end()
}
