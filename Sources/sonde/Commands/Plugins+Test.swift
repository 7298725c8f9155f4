internal import ArgumentParser

extension Plugins {
    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Hold a plugin to the rules of the contract, each in a process of its own.",
            discussion: """
                Example:
                  sonde plugins test .build/release/libuptime.so
                  sonde plugins test uptime --options my-uptime.yaml --junit report.xml

                The options are those of sample.yaml beside the plugin, or of its README.md, unless --options names a file.
                It ends with 0 when no rule failed, with 1 when one did, and with 78 when the options are wrong.
                """
        )

        @Argument(help: "The plugin's file, or the name of an installed one.", completion: .file(extensions: ["so"]))
        var plugin: String
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
