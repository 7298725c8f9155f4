internal import ArgumentParser

struct History: ParsableCommand {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case table
        case json
        case csv
        case ndjson
    }

    static let configuration = CommandConfiguration(
        abstract: "Show what bandwidth, connections, DNS and the agent were over a stretch of time.",
        discussion: """
            A running agent answers from what it keeps for 30 days. No answer has more than 1,000 points of a series. \
            The table shows each series in all: the average over the time that is known, the largest average of a \
            reading, the peak within readings where a source looks so closely, the last value, and the course, in \
            which gaps are gaps.

            The exit code is 0 when the agent answered, 75 when none does and 77 when it refuses.

            Example:
              sonde history --metric bandwidth --range 24h
            """
    )

    @OptionGroup var history: HistoryOptions
    @Option(help: "How to print: a table for people, or each point for programs.")
    var format = Format.table
    @OptionGroup var agent: AgentPlaceOptions

    func run() throws {
        try DaemonCall().start()
    }
}
