internal import ArgumentParser

struct Snapshot: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show bandwidth, connections and DNS of a running agent now, and over the last hour.",
        discussion: """
            What no source knows is null, or a dash in the table, and never 0. With --format json it is the document \
            sonde.snapshot/1, which also has what is broken and what was lost.

            The exit code is 0 when the agent answered, 75 when none does and 77 when it refuses.

            Example:
              sonde snapshot --format json
            """
    )

    @OptionGroup var agent: AgentOptions

    func run() throws {
        try DaemonCall(.snapshot, agent.arguments).start()
    }
}

struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print one snapshot per line, as JSON, whenever a source has told something new.",
        discussion: """
            It goes on until it is stopped, its reader ends, or the agent does. A slow reader gets the newest snapshot \
            and not every one.

            The exit code is 75 when no agent answers, or does no more.

            Example:
              sonde watch
            """
    )

    @OptionGroup var agent: AgentPlaceOptions

    func run() throws {
        try DaemonCall(.watch, agent.arguments).start()
    }
}

struct Retry: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Have a source or sink that waits after a failure try again at once.",
        discussion: """
            For when what was broken is mended and the next attempt is far away. One that does not wait is not \
            disturbed.

            The exit code is 0 when it was told, 1 when there is no such source or sink, 75 when no agent answers.

            Example:
              sonde retry central
            """
    )

    @Argument(help: ArgumentHelp("The id of the source or sink, as 'sonde status' names it.", valueName: "id"))
    var id: String
    @OptionGroup var agent: AgentPlaceOptions

    func run() throws {
        try DaemonCall(.retry, [id] + agent.arguments).start()
    }
}
