internal import ArgumentParser

struct Snapshot: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show bandwidth, connections and DNS of a running agent now, and over the last hour.",
        discussion: """
            What no source knows is null, or a dash in the table, and never 0. With --format json it is the document \
            sonde.snapshot/2, which also has what is broken and what was lost.

            The exit code is 0 when the agent answered, 75 when none does and 77 when it refuses.

            Example:
              sonde snapshot --format json
            """
    )

    @OptionGroup var agent: AgentOptions

    func run() throws {
        try DaemonCall().start()
    }
}
