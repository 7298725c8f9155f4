internal import ArgumentParser

extension Spool {
    struct Replay: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Offer a receiver its dead letters again.",
            discussion: """
                A dead letter leaves its folder once it is delivered; refused again, it stays with the new reason. \
                Replays wait for what is delivered for the first time, never the other way round.

                The exit code is 0 when everything was delivered, 1 when something was refused, and 75 when it was not \
                all delivered within a minute; the agent goes on then.

                Examples:
                  sonde spool replay --sink central --dead-letter NAME

                Example:
                  sonde spool replay --sink central --all
                """
        )

        @Option(help: ArgumentHelp("The sink whose receiver is offered the batches.", valueName: "id"))
        var sink: String
        @Option(help: ArgumentHelp("One dead letter, as 'sonde spool list' names it.", valueName: "name"))
        var deadLetter: String?
        @Flag(help: "All dead letters of the sink.")
        var all = false
        @OptionGroup var agent: AgentOptions

        func validate() throws {
            guard sink != "" else { throw ValidationError("The value of '--sink' is empty: name a sink.") }
            guard deadLetter != "" else { throw ValidationError("The value of '--dead-letter' is empty: name one.") }
            guard (deadLetter != nil) != all else {
                throw ValidationError("Say what to replay with one of '--dead-letter' and '--all'.")
            }
        }

        func run() throws {
            try DaemonCall().start()
        }
    }
}
