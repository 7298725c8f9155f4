internal import ArgumentParser

struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what a running agent is doing, what is broken and what was lost.",
        discussion: """
            One line per source and sink, then each failure with its code, since when it lasts, what was lost, when \
            the next attempt is and what to do. The agent answers root and its own user.

            The exit code is 0 when the agent answered, 75 when none does and 77 when it refuses. With --check it is \
            1 when a source or sink does not do what it should.

            Example:
              sonde status
            """
    )

    @Flag(help: "End with 1 when a source or sink is failing, backing off or held.")
    var check = false
    @OptionGroup var agent: AgentOptions

    func run() throws {
        try DaemonCall().start()
    }
}
