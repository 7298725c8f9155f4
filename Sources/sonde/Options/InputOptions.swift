internal import ArgumentParser

/// Where configuration and plugins come from.
struct InputOptions: ParsableArguments {
    @Option(
        name: [.customShort("c"), .customLong("config")],
        help: ArgumentHelp("The configuration file. Without it the built-in configuration is used.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"])
    )
    var configuration: String?
    @OptionGroup var plugins: PluginDirectoryOptions

    func validate() throws {
        guard configuration == "" else { return }
        throw ValidationError("The value of '--config' is empty: name a file, or leave the option out.")
    }
}
