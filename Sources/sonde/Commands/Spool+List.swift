internal import ArgumentParser
internal import SondeDomain

extension Spool {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the segments of the log, each sink's position, and the dead letters.",
            discussion: """
                A dead letter is a batch that a receiver has refused permanently; it is kept with the reason until it is \
                replayed, purged, or dropped for newer ones. The exit code is 0 when the agent answered, 75 when none \
                does and 77 when it refuses.

                Example:
                  sonde spool list --sink central
                """
        )

        @OptionGroup var sink: SinkOption
        @OptionGroup var agent: AgentOptions

        func run() throws {
            try DaemonCall().start()
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the points in a stretch of the log, or in a dead letter.",
            discussion: """
                With --format json each point is one line, as in every JSON output. Points of the loss ledger are among \
                them. What the log does not hold any more is left out.

                Examples:
                  sonde spool show 1200-1300
                  sonde spool show --dead-letter NAME --format json

                Example:
                  sonde spool show 1200 --limit 100
                """
        )

        @Argument(
            help: ArgumentHelp("The sequence number of a point, or two and everything between.", valueName: "seq"))
        var stretch: String?
        @Option(help: ArgumentHelp("The dead letter to show, as 'sonde spool list' names it.", valueName: "name"))
        var deadLetter: String?
        @Option(help: ArgumentHelp("At most this many points; 0: all.", valueName: "count"))
        var limit: UInt32 = 1_000
        @OptionGroup var sink: SinkOption
        @OptionGroup var agent: AgentOptions

        func validate() throws {
            guard (stretch == nil) != (deadLetter == nil) else {
                throw ValidationError("Name either a stretch, like 1200-1300, or a '--dead-letter'.")
            }
            if let stretch, SequenceText(stretch) == nil {
                throw ValidationError("'\(stretch)' is not a sequence number, or two of them like 1200-1300.")
            }
            if deadLetter == "" { throw ValidationError("The value of '--dead-letter' is empty: name one.") }
        }

        func run() throws {
            try DaemonCall().start()
        }
    }
}
