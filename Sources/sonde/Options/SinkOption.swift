internal import ArgumentParser

/// One sink instead of all.
struct SinkOption: ParsableArguments {
    @Option(help: ArgumentHelp("Only this sink. Without it: all.", valueName: "id"))
    var sink: String?

    func validate() throws {
        guard sink == "" else { return }
        throw ValidationError("The value of '--sink' is empty: name a sink, or leave the option out.")
    }
}
