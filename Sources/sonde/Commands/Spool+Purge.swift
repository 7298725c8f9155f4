internal import ArgumentParser
internal import SondeDomain

extension Spool {
    struct Purge: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Drop what waits for sinks, or dead letters, permanently.",
            discussion: """
                Every point dropped is counted as a loss with the reason 'purged'. Without --yes it says what would be \
                dropped; on a terminal it asks, and elsewhere it ends with 64. Points that come meanwhile are kept.

                With --before, which takes an instant like 2026-01-01T00:00:00Z or an age like 2h, only what leads the \
                queue and is older goes: the first point that is younger ends it.

                Examples:
                  sonde spool purge --sink central --before 2h --yes
                  sonde spool purge --dead-letters --all --yes

                Example:
                  sonde spool purge --sink central --all
                """
        )

        @OptionGroup var sink: SinkOption
        @Flag(help: "Drop dead letters instead of what waits.")
        var deadLetters = false
        @Option(help: ArgumentHelp("Drop only what is older.", valueName: "time"))
        var before: String?
        @Flag(help: "Drop everything.")
        var all = false
        @Flag(help: "Do not ask.")
        var yes = false
        @OptionGroup var agent: AgentOptions

        func validate() throws {
            guard all != (before != nil) else {
                throw ValidationError("Say how much to drop with one of '--all' and '--before'.")
            }
            guard let before, InstantText.parse(before) == nil, (try? DurationText.parse(before)) == nil else { return }
            throw ValidationError("'\(before)' is neither an instant like 2026-01-01T00:00:00Z nor an age like 2h.")
        }

        func run() throws {
            try DaemonCall().start()
        }
    }
}
