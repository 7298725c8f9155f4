internal import ArgumentParser

struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play a recording through the agent's pipeline.",
        discussion: """
            What sources have read goes through the whole pipeline on a clock of its own, as fast as it can, and into the \
            sinks stdout and file of the configuration: other sinks, and the state directory, are left out. The same \
            recording gives the same bytes each time. Without --config the metrics of the kernel are printed as lines \
            of JSON; the file sonde.yaml beside a recording has the sources that it was made with: read it before you \
            name it with --config.

            Example:
              sonde replay /tmp/slow-dns -c /tmp/slow-dns/sonde.yaml
            """
    )

    @Argument(help: "The directory that 'sonde record' made.", completion: .directory)
    var directory: String
    @OptionGroup var input: InputOptions

    func validate() throws {
        guard directory.isEmpty else { return }
        throw ValidationError("The name of the directory is empty: name one.")
    }

    func run() throws {
        try DaemonCall().start()
    }
}
