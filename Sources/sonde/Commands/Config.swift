internal import ArgumentParser

struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Work with configurations.",
        discussion: """
            Example:
              sonde config show --origin -c /etc/sonde/sonde.yaml
            """,
        subcommands: [Show.self, Schema.self]
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

        @OptionGroup var remote: RemoteOption

        func run() throws {
            try DaemonCall().start()
        }
    }

    struct Schema: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the JSON Schema of the configuration, for editors and validators.",
            discussion: """
                It describes the keys of this version and the options of every plugin that is installed; --config adds the \
                plugins of the directories that the file names. What depends on more than one value is left to \
                'sonde check'.

                Example:
                  sonde config schema > sonde.schema.json
                """
        )

        @OptionGroup var input: InputOptions

        @Flag(help: "For a file in conf.d, which needs no 'version' and may have 'when'.") var fragment = false

        func run() throws {
            try DaemonCall().start()
        }
    }
}
