internal import ArgumentParser
internal import SondeDomain

struct Changes: ParsableCommand {
    enum Reference: String, CaseIterable, ExpressibleByArgument {
        case day = "1d"
        case week = "7d"
    }

    static let configuration = CommandConfiguration(
        abstract: "Show what has moved from its own history, the most unusual first.",
        discussion: """
            A running agent compares the range, which ends now, with the same time of the days before, as far as it keeps \
            them, and names each series that has left its usual bounds, with both values and the first minute of the \
            change. A series without earlier days is compared with the time before the range; that is marked.

            The exit code is 0 when the agent answered, whatever has moved, 75 when none does and 77 when it refuses.

            Example:
              sonde changes --range 1h --against 7d
            """
    )

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The range that is looked at, from 5m to 24h.", valueName: "span"))
    var range = "1h"
    @Option(help: "The days that it is compared with: the day before, or the seven days before.")
    var against = Reference.week
    @Option(help: ArgumentHelp("At most so many changes; 20 in a table, 100 in JSON.", valueName: "count"))
    var limit: Int?
    @OptionGroup var agent: AgentOptions

    func validate() throws {
        guard let span = try? DurationText.parse(range), .seconds(300) <= span, span <= .seconds(86_400) else {
            throw ValidationError("The value of '--range' is not from 5m to 24h: '\(range)'.")
        }
        guard (limit ?? 1) > 0 else { throw ValidationError("The value of '--limit' is not above 0.") }
    }

    func run() throws {
        try DaemonCall().start()
    }
}
