internal import ArgumentParser

extension Spool {
    struct Replay: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Offer a receiver its dead letters again, or points that it was sent before.",
            discussion: """
                A dead letter leaves its folder once it is delivered; refused again, it stays with the new reason. What \
                is sent with --from reaches the receiver a second time: it has to drop duplicates, which it can by the \
                batch's identity when --from and --to are those of the first time. Replays wait for what is delivered \
                for the first time, never the other way round.

                The exit code is 0 when everything was delivered, 1 when something was refused, and 75 when it was not \
                all delivered within a minute; the agent goes on then.

                Examples:
                  sonde spool replay --sink central --dead-letter NAME
                  sonde spool replay --sink central --from 1200 --to 1300

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
        @Option(help: ArgumentHelp("The first of the points in the log.", valueName: "seq"))
        var from: UInt64?
        @Option(
            help: ArgumentHelp("The last of them. Without it: the last one that the sink has sent.", valueName: "seq"))
        var to: UInt64?
        @OptionGroup var agent: AgentOptions

        func validate() throws {
            guard sink != "" else { throw ValidationError("The value of '--sink' is empty: name a sink.") }
            guard deadLetter != "" else { throw ValidationError("The value of '--dead-letter' is empty: name one.") }
            guard [deadLetter != nil, all, from != nil].count(where: { $0 }) == 1 else {
                throw ValidationError("Say what to replay with one of '--dead-letter', '--all' and '--from'.")
            }
            guard to == nil || from != nil else { throw ValidationError("'--to' needs '--from'.") }
            guard from != 0, from ?? 0 <= to ?? .max else {
                throw ValidationError("'--from' begins at 1 and is not above '--to'.")
            }
        }

        func run() throws {
            try DaemonCall().start()
        }
    }
}
