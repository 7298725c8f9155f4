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
        meaning: "The command 'sonde' found the program that does the work and the system refused to start it.",
        recovery:
            "Check the permissions and the architecture of that file, and whether its file system is mounted noexec."
    )

    /// A file of a project's template is missing.
    public static let templateMissing = ErrorDefinition(
        ErrorCode("SND-CLI003"),
        .configuration,
        meaning: "The command 'sonde plugins new' did not find its templates in '../share/sonde' beside itself.",
        recovery: "Install the package sonde-dev, or run 'make build' and use 'dist/bin/sonde'."
    )

    /// The folder of a new project cannot be made.
    public static let projectNotWritten = ErrorDefinition(
        ErrorCode("SND-CLI004"),
        .configuration,
        meaning: "The command 'sonde plugins new' cannot make the folder, or a file in it.",
        recovery: "Name a folder that does not exist with '--dir', in one where you may write."
    )

    /// `sonde web` did not find its server.
    public static let webMissing = ErrorDefinition(
        ErrorCode("SND-CLI005"),
        .configuration,
        meaning: "The command 'sonde web' did not find 'sonde-web' beside itself or in '../lib/sonde'.",
        recovery: "Install the package sonde-web, or run 'make build' and use 'dist/bin/sonde'."
    )

    static let commandLine = [daemonMissing, daemonNotStartable, templateMissing, projectNotWritten, webMissing]
}
