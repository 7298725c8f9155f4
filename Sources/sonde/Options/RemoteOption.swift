internal import ArgumentParser

/// What takes the place of the remote configuration.
struct RemoteOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The unsigned file of a remote configuration, or 'none': in place of the one that the agent keeps.",
            valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var remote: String?

    func validate() throws {
        guard remote != "" else {
            throw ValidationError("The value of '--remote' is empty: name a file, or leave the option out.")
        }
    }
}
