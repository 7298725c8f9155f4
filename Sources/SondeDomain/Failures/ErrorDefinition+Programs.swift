extension ErrorCode {
    /// A program that is run once per interval has failed.
    public static let programFailed = ErrorCode("SND-PLG029")
    /// A program has not ended, or not answered, in time.
    public static let programLate = ErrorCode("SND-PLG030")
    /// Lines that a program has printed cannot be read.
    public static let programOutputUnreadable = ErrorCode("SND-PLG031")
    /// The options of `exec` do not fit together, or name what cannot be run.
    public static let programUnsuited = ErrorCode("SND-PLG032")
    /// A program has reported an error.
    public static let programReported = ErrorCode("SND-PLG033")
    /// A program has answered what its protocol does not know, or closed its standard output.
    public static let programBrokeProtocol = ErrorCode("SND-PLG034")
}

extension ErrorDefinition {
    /// What can happen to the programs of the source and the sink `exec`.
    public static let programs: [ErrorDefinition] = [
        ErrorDefinition(
            .programFailed,
            .transient,
            meaning: "A program that is run once per interval ended with another status than 0, or by a signal.",
            recovery: "Run it by hand as the agent's user; what it wrote to standard error is in the log."
        ),
        ErrorDefinition(
            .programLate,
            .transient,
            meaning: "A program had not ended, or not answered a batch, when its time was up; it was killed.",
            recovery: "Raise timeout (and interval), or find out what it waits for."
        ),
        ErrorDefinition(
            .programOutputUnreadable,
            .corruptInput,
            meaning: "Lines that a program printed are not what its format says; they were counted, the others taken.",
            recovery: "Correct the program, or set the format that it prints."
        ),
        ErrorDefinition(
            .programUnsuited,
            .configuration,
            meaning: "The options of exec do not fit together, or name a program or a user that cannot be used.",
            recovery: "Correct the option that the message names."
        ),
        ErrorDefinition(
            .programReported,
            .transient,
            meaning: "A program reported an error of its own; its class is the one that the program gave.",
            recovery: "Do what the message says; it is the program's."
        ),
        ErrorDefinition(
            .programBrokeProtocol,
            .transient,
            meaning:
                "A program that is kept running answered what cannot be, or closed its standard output; it was killed.",
            recovery: "Report it to the program's author."
        ),
    ]
}
