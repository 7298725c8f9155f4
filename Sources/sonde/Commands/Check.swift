internal import ArgumentParser

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check a configuration without running it.",
        discussion: """
            Reads the file, loads the plugins it names and lets each check its options. Nothing is opened, connected \
            to or written. All errors are shown at once, with file, line and column. The exit code is 0 when the \
            configuration is right and 78 when it is not.

            Example:
              sonde check -c /etc/sonde/sonde.yaml
            """
    )

    @OptionGroup var input: InputOptions

    func run() throws {
        try DaemonCall().start()
    }
}
