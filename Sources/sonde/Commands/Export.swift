internal import ArgumentParser

struct Export: ParsableCommand {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case csv
        case json
        case ndjson
        case prometheus
    }

    static let configuration = CommandConfiguration(
        abstract: "Write history to a file.",
        discussion: """
            The file is whole or not there: it gets its name at the end. The agent goes on recording meanwhile. With \
            --format prometheus it is OpenMetrics text with times, which 'promtool tsdb create-blocks-from \
            openmetrics' takes.

            The exit code is 0 when the file is there, 1 when it could not be written, 75 when no agent answers and \
            77 when it refuses.

            Example:
              sonde export --range 7d --format csv --output history.csv
            """
    )

    @OptionGroup var history: HistoryOptions
    @Option(help: "How to write it.")
    var format = Format.csv
    @Option(help: ArgumentHelp("The file; - is standard output.", valueName: "file"), completion: .file())
    var output: String
    @OptionGroup var agent: AgentPlaceOptions

    func validate() throws {
        guard output == "" else { return }
        throw ValidationError("The value of '--output' is empty: name a file.")
    }

    func run() throws {
        try DaemonCall().start()
    }
}
