internal import ArgumentParser

struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Work with configurations.",
        discussion: """
            Example:
              sonde config show --origin -c /etc/sonde/sonde.yaml
            """,
        subcommands: [Show.self]
    )

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the configuration that the agent would run with, defaults filled in.",
            discussion: """
                Secrets are shown as '***'. Without --config it is the configuration that is built in.

                With --origin every value has the file and line that it comes from, or 'default'; references in it and \
                values that it took the place of are named, and in the end what is not in force on this host, and why.

                Example:
                  sonde config show --origin -c /etc/sonde/sonde.yaml
                """
        )

        @OptionGroup var input: InputOptions

        @Flag(help: "Show the file and line of every value, and what is left out.") var origin = false

        @OptionGroup var host: HostOption

        func run() throws {
            try DaemonCall().start()
        }
    }
}
