internal import ArgumentParser

struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Work with configurations.",
        discussion: """
            Example:
              sonde config show -c /etc/sonde/sonde.yaml
            """,
        subcommands: [Show.self]
    )

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the configuration that the agent would run with, defaults filled in.",
            discussion: """
                Secrets are shown as '***'. Without --config it is the configuration that is built in.

                Example:
                  sonde config show -c /etc/sonde/sonde.yaml
                """
        )

        @OptionGroup var input: InputOptions

        @OptionGroup var host: HostOption

        func run() throws {
            try DaemonCall().start()
        }
    }
}
