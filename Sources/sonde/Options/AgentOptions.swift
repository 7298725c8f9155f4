internal import ArgumentParser

/// Which running agent is asked, and how its answer is printed.
struct AgentOptions: ParsableArguments {
    @OptionGroup var place: AgentPlaceOptions
    @OptionGroup var output: OutputOptions
}
