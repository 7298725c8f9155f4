internal import ArgumentParser

/// Which running agent is asked, and how its answer is printed.
struct AgentOptions: ParsableArguments {
    @OptionGroup var place: AgentPlaceOptions
    @OptionGroup var output: OutputOptions

    /// The same as the daemon wants it.
    var arguments: [String] { place.arguments + output.arguments }
}
