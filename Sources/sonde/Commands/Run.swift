internal import ArgumentParser

struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the agent in the foreground until it is stopped.",
        discussion: """
            Without --config no file is read, /etc/sonde/sonde.yaml neither: the agent shows the kernel's counters as \
            a live table and needs no privileges. The systemd unit names its file with --config. SIGTERM, Ctrl-C or \
            the key q on a live table stops the agent: sinks get what was collected, then it exits.

            Example:
              sonde run -c /etc/sonde/sonde.yaml
            """
    )

    @OptionGroup var input: InputOptions

    func run() throws {
        try DaemonCall().start()
    }
}
