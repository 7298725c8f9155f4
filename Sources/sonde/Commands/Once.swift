internal import ArgumentParser

struct Once: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Collect from every source, print the metrics and exit.",
        discussion: """
            The metrics go to standard output, not to the configured sinks. Without --config the kernel's counters are \
            collected.

            Example:
              sonde once --format json
            """
    )

    @OptionGroup var input: InputOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try DaemonCall().start()
    }
}
