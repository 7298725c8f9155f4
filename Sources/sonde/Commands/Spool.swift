internal import ArgumentParser

struct Spool: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Look into what waits in a running agent, send it again, or drop it.",
        discussion: """
            Example:
              sonde spool list
            """,
        subcommands: [Status.self, List.self, Show.self, Replay.self, Purge.self]
    )

    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show what waits for each sink, for how long, and what was lost.",
            discussion: """
                The exit code is 0 when the agent answered, 75 when none does and 77 when it refuses.

                Example:
                  sonde spool status --format json
                """
        )

        @OptionGroup var agent: AgentOptions

        func run() throws {
            try DaemonCall().start()
        }
    }
}
