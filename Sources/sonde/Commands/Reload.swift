internal import ArgumentParser

struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Have a running agent read its configuration again, without a restart.",
        discussion: """
            Sources and sinks whose configuration is the same go on undisturbed; those that have changed, came or went \
            are replaced, started and stopped. When anything is wrong, nothing changes: the old configuration stays in \
            force, and what is wrong is printed here, in the log and by 'sonde status'. SIGHUP does the same.

            agent.host, state_dir, control_socket, control_group, spool and history need a restart.

            The exit code is 0 when the new configuration is in force, 78 when it is wrong or needs a restart, 75 when no \
            agent answers or the reload has not ended after a minute.

            Example:
              sonde reload
            """
    )

    @OptionGroup var agent: AgentOptions

    func run() throws {
        try DaemonCall().start()
    }
}
