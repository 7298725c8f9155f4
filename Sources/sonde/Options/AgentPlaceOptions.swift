internal import ArgumentParser

/// Which running agent is asked.
struct AgentPlaceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The agent's control socket. Without it: that of --config, or else the usual places.", valueName: "path"),
        completion: .file()
    )
    var socket: String?
    @Option(
        name: [.customShort("c"), .customLong("config")],
        help: ArgumentHelp("The agent's configuration file, which names its socket.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"])
    )
    var configuration: String?

    func validate() throws {
        guard socket != "" else { throw ValidationError("The value of '--socket' is empty: name a path.") }
        guard configuration != "" else { throw ValidationError("The value of '--config' is empty: name a file.") }
    }
}
