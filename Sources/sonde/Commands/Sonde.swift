internal import ArgumentParser

/// What people type.
///
/// It only reads the command line: what needs plugins or a configuration is done by `sonded`, which takes over the
/// process, so that the process id, the terminal and the exit code are the daemon's.
@main
struct Sonde: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sonde",
        abstract: "Measures the network of this host and sends the metrics where you want them.",
        discussion: """
            Without a configuration file nothing leaves the machine: 'sonde run' shows the kernel's counters as a live \
            table on the terminal.

            Exit codes: 0 done, 1 failed at run time, 64 wrong usage, 73 cannot be made, 75 try again later, \
            77 not permitted, 78 wrong configuration.

            Example:
              sonde run
            """,
        subcommands: [
            Run.self, Check.self, Once.self, Top.self, Web.self, Status.self, Snapshot.self, Watch.self, Series.self,
            Explain.self, Doctor.self, Retry.self, Reload.self,
            History.self, Export.self, Changes.self, Inspect.self, Spool.self,
            Record.self, Replay.self, Plugins.self, Config.self,
            Version.self,
        ]
    )

    // The daemon prints its version itself: a constant here could differ from the daemon that is installed.
    @Flag(name: .long, help: "Show the version.")
    var version = false

    static func main() {
        let words = NegativeValues.joined(Array(CommandLine.arguments.dropFirst()))
        // Alone, these words leave nothing to check: the parser would take longer than the daemon to answer.
        if words == ["status"] || words == ["version"] {
            do { try DaemonCall().start() } catch { exit(withError: error) }
        }
        main(words)
    }

    func run() throws {
        guard version else { throw CleanExit.helpRequest(self) }
        try DaemonCall().start()
    }
}
