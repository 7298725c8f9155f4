internal import ArgumentParser

/// How data is printed.
struct OutputOptions: ParsableArguments {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case table
        case json
    }

    @Option(help: "How to print: a table for people, or JSON for programs.")
    var format = Format.table
}
