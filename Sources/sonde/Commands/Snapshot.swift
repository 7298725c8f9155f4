internal import ArgumentParser

struct Snapshot: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Show bandwidth, connections, DNS and who has most of it, of a running agent now and over the last hour.",
        discussion: """
            What is broken comes first, with what to try. What no source knows is null, or a dash in the table, and never \
            0. Beside a peak stands the time that it is the average of. With --format json it is the document \
            sonde.snapshot/2, which also has what was lost.

            The exit code is 0 when the agent answered, 75 when none does and 77 when it refuses.

            Example:
              sonde snapshot --format json
            """
    )

    @OptionGroup var agent: AgentOptions

    @Flag(help: "Show rows that were 0 for all of the last hour, too, and what lists need that are not there.")
    var all = false

    func run() throws {
        try DaemonCall().start()
    }
}
