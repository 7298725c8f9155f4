extension ErrorDefinition {
    /// `sonde` did not find the daemon.
    public static let daemonMissing = ErrorDefinition(
        ErrorCode("SND-CLI001"),
        .configuration,
        meaning: "The command 'sonde' did not find the daemon 'sonded' beside itself or in '../lib/sonde'.",
        recovery: "Install the package again, or run 'make build' and use 'dist/bin/sonde'."
    )

    /// `sonde` found the daemon and could not start it.
    public static let daemonNotStartable = ErrorDefinition(
        ErrorCode("SND-CLI002"),
        .configuration,
        meaning: "The command 'sonde' found the daemon 'sonded' and the system refused to start it.",
        recovery:
            "Check the permissions and the architecture of 'sonded', and whether its file system is mounted noexec."
    )

    static let commandLine = [daemonMissing, daemonNotStartable]
}
