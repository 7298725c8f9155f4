internal import ArgumentParser

extension Plugins {
    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Hold a plugin, or a program of exec, to the rules that the agent counts on.",
            discussion: """
                Example:
                  sonde plugins test .build/release/libuptime.so
                  sonde plugins test uptime --options my-uptime.yaml --junit report.xml
                  sonde plugins test ./uptime.py
                  sonde plugins test /usr/local/lib/probe -- --all

                The options are those of sample.yaml beside it, or of its README.md, unless --options names a file.
                It ends with 0 when no rule failed, with 1 when one did or 'works' could not be checked, and with 78
                when the options are wrong.
                """
        )

        @Argument(
            help: "The plugin's file, the name of an installed one, or the path of a program.", completion: .file())
        var plugin: String
        @Argument(help: "The program's arguments, after --; else those of the sample.")
        var arguments: [String] = []
        @OptionGroup var plugins: PluginDirectoryOptions
        @OptionGroup var output: OutputOptions
        @Option(
            help: ArgumentHelp(
                "A file with options of the plugin, or a configuration with an entry of it.", valueName: "file"),
            completion: .file())
        var options: String?
        @Option(
            help: ArgumentHelp("Where to write the result as JUnit's XML, too.", valueName: "file"),
            completion: .file())
        var junit: String?

        func validate() throws {
            guard !plugin.isEmpty, !plugin.hasPrefix("-") else {
                throw ValidationError("'\(plugin)' cannot be a plugin: name its file, or an installed one.")
            }
            guard options != "", junit != "" else { throw ValidationError("The name of a file is empty.") }
        }

        func run() throws {
            try DaemonCall().start()
        }
    }
}
