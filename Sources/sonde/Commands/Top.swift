internal import ArgumentParser

struct Top: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show a running agent full screen: what is busy, what is broken, since when and what to do.",
        discussion: """
            Pages: overview, interfaces, connections, services, talkers, dns, and plugins with their failures. The keys \
            are on the screen; '?' explains them. Where standard output is no terminal, or TERM is dumb, it prints one \
            frame and ends. NO_COLOR switches color off. An agent that is gone is asked again every second.

            The exit code is 0 when it was ended by a key; without a terminal it is 75 when no agent answers and 77 \
            when it refuses.

            Example:
              sonde top
            """
    )

    @OptionGroup var agent: AgentPlaceOptions

    func run() throws {
        try DaemonCall().start()
    }
}
