internal import ArgumentParser

/// Where plugins are looked for.
struct PluginDirectoryOptions: ParsableArguments {
    @Option(
        name: .customLong("plugin-dir"),
        help: ArgumentHelp(
            "A directory to look for plugins in before the usual ones. May be given more than once.",
            valueName: "dir"
        ),
        completion: .directory
    )
    var directories: [String] = []

    func validate() throws {
        guard directories.contains("") else { return }
        throw ValidationError("The value of '--plugin-dir' is empty: name a directory, or leave the option out.")
    }
}
