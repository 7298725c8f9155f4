internal import ArgumentParser

struct Plugins: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the installed plugins, or make a new one.",
        discussion: """
            Example:
              sonde plugins list
            """,
        subcommands: [List.self, Describe.self, New.self, Test.self]
    )

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the plugins that are found, and the ones that are refused with the reason.",
            discussion: """
                Example:
                  sonde plugins list --format json
                """
        )

        @OptionGroup var plugins: PluginDirectoryOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            try DaemonCall().start()
        }
    }

    struct Describe: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a plugin's options, metrics, errors and needs.",
            discussion: """
                Example:
                  sonde plugins describe procnet
                """
        )

        @Argument(help: "The plugin's name, as 'sonde plugins list' shows it.")
        var name: String
        @OptionGroup var plugins: PluginDirectoryOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard name.isEmpty || name.hasPrefix("-") else { return }
            throw ValidationError("'\(name)' cannot be the name of a plugin.")
        }

        func run() throws {
            try DaemonCall().start()
        }
    }
}
