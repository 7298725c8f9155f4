internal import ArgumentParser

struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Look at everything that has to be right on this host, and print how to mend what is not.",
        discussion: """
            Checks the configuration, what the agent may do, its sources, the way to each sink, the clock, the disk, and \
            the memory that it may use. Each finding has its fix: a command, lines for a drop-in of the unit, or lines of YAML.

            A running agent is asked how its sources do; without one they run for a second, as by 'sonde once'. Sinks are \
            connected to from here, and nothing is sent. Without --config it is the configuration of the running agent, else \
            /etc/sonde/sonde.yaml.

            The exit code is 0 when nothing is broken, with or without warnings, and 1 when something is.

            Example:
              sonde doctor -c /etc/sonde/sonde.yaml
            """
    )

    @OptionGroup var plugins: PluginDirectoryOptions
    @OptionGroup var agent: AgentOptions

    func run() throws {
        try DaemonCall().start()
    }
}
