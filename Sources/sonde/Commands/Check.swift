internal import ArgumentParser

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check a configuration without running it.",
        discussion: """
            Reads the file, loads the plugins it names and lets each check its options. Nothing is opened, connected \
            to or written. All errors are shown at once, with file, line and column. The exit code is 0 when the \
            configuration is right and 78 when it is not.

            With --estimate the sources of a right configuration are then run for a second, as by 'sonde once': how many \
            series each of them sends at its level is printed, and how many bytes an hour that makes at each sink. \
            Nothing is sent. Sources of packets and logs have more series the more traffic there is.

            With --host the files and entries with 'when' are those for the host of that name, so that one machine can check \
            what others will get.

            With --remote FILE a file that is not signed yet takes the place of the remote configuration, so that it can be \
            checked before it is published; with '--remote none' there is none. Without it, the one that the agent keeps \
            counts.

            Example:
              sonde check -c /etc/sonde/sonde.yaml --estimate
            """
    )

    @OptionGroup var input: InputOptions

    @OptionGroup var host: HostOption

    @OptionGroup var remote: RemoteOption

    @Flag(help: "Run the sources for a second, and print series and bytes an hour.") var estimate = false

    func run() throws {
        try DaemonCall().start()
    }
}
