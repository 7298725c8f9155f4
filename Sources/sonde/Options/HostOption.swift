internal import ArgumentParser

/// The host that a configuration is looked at for.
struct HostOption: ParsableArguments {
    @Option(
        name: .customLong("host"),
        help: ArgumentHelp(
            "As on the host of this name: for 'when' and ${host:name}. Without it: this host.", valueName: "name"))
    var name: String?

    func validate() throws {
        guard name == "" else { return }
        throw ValidationError("The value of '--host' is empty: name a host, or leave the option out.")
    }
}
