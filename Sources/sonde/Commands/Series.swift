internal import ArgumentParser

struct Series: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the last point of every series that a running agent has open.",
        discussion: """
            A series that has ended is not shown. With --format json each is one line. With --follow each new point \
            comes as it is collected, and JSON lines tell of ends, too; it goes on until it is stopped, its reader \
            ends, or the agent does.

            The exit code is 0 when the agent answered, 75 when none does, or does no more, and 77 when it refuses.

            Example:
              sonde series --name 'system.network.*' --source kernel
            """
    )

    @Option(
        help: ArgumentHelp(
            "Only series of this name; * is any run of characters, ? is one. May be given several times.",
            valueName: "glob"))
    var name: [String] = []
    @Option(help: ArgumentHelp("Only series of one source.", valueName: "id"))
    var source: String?
    @Flag(help: "Go on with new points as they come.")
    var follow = false
    @OptionGroup var agent: AgentOptions

    func validate() throws {
        guard !name.contains("") else { throw ValidationError("The value of '--name' is empty: name a metric.") }
        guard name.count <= 16 else { throw ValidationError("At most 16 '--name' may be given.") }
        guard source != "" else { throw ValidationError("The value of '--source' is empty: name a source.") }
    }

    func run() throws {
        try DaemonCall().start()
    }
}
