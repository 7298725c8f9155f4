internal import ArgumentParser

struct Version: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the version of the agent.",
        discussion: """
            Example:
              sonde version
            """
    )

    func run() throws {
        try DaemonCall().start()
    }
}
