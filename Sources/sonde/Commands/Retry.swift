internal import ArgumentParser

struct Retry: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Have a source or sink that waits after a failure try again at once.",
        discussion: """
            For when what was broken is mended and the next attempt is far away. One that does not wait is not \
            disturbed.

            The exit code is 0 when it tries again, 1 when there is no such source or sink, 75 when no agent answers.

            Example:
              sonde retry central
            """
    )

    @Argument(help: ArgumentHelp("The id of the source or sink, as 'sonde status' names it.", valueName: "id"))
    var id: String
    @OptionGroup var agent: AgentPlaceOptions

    func run() throws {
        try DaemonCall().start()
    }
}
