internal import ArgumentParser

struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print one snapshot per line, as JSON, whenever a source has reported something new.",
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
        try DaemonCall().start()
    }
}
