internal import ArgumentParser

struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what a metric means, when it is bad, what to try, and what a running agent has of it.",
        discussion: """
            What it means comes from the catalogs of the plugins that are installed, so that it needs no agent. A running \
            agent adds the last value and its age, and the range over the last day where history is kept of it. With \
            --config it says which sinks get it.

            The exit code is 0 also where no agent answers, 64 when no plugin has the metric, and 77 when the agent refuses.

            Example:
              sonde explain sonde.drop.packet.count --member socket_rcvbuff
            """
    )

    @Argument(help: ArgumentHelp("The metric's name.", valueName: "metric"))
    var metric: String
    @Option(
        help: ArgumentHelp(
            "Only series with this value of an attribute: an interface, a state, a reason.", valueName: "value"))
    var member: String?
    @OptionGroup var plugins: PluginDirectoryOptions
    @OptionGroup var agent: AgentOptions

    func validate() throws {
        guard !metric.isEmpty else { throw ValidationError("The metric is empty: name one.") }
        guard member != "" else { throw ValidationError("The value of '--member' is empty: name a value.") }
    }

    func run() throws {
        try DaemonCall().start()
    }
}
