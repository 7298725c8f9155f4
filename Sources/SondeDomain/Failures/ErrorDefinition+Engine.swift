extension ErrorDefinition {
    static let engine: [ErrorDefinition] = [
        ErrorDefinition(
            .callOverran,
            .transient,
            meaning:
                "A collection took longer than the source's interval; the ticks it missed are skipped and counted.",
            recovery: "Raise the interval of the source, or find out what the plugin waits for."
        ),
        ErrorDefinition(
            .callHangs,
            .transient,
            meaning: "A call into a plugin has not returned by its deadline; everything else continues.",
            recovery: "Report it to the plugin's author; an instance with a process of its own is killed and starts "
                + "again, otherwise restarting the agent ends the call."
        ),
        ErrorDefinition(
            .batchRefused,
            .permanentData,
            meaning:
                "A receiver refused a batch permanently; it is kept as a dead letter, or its points count as lost.",
            recovery: "Look at the receiver's reason in the message; the next batch was sent at once."
        ),
        ErrorDefinition(
            .undeliveredAtStop,
            .transient,
            meaning: "Points were still waiting for a sink when the agent stopped, and no disk keeps them.",
            recovery:
                "Set agent.state_dir, or see why its disk failed; a receiver that is only slow needs a longer agent.shutdown_grace."
        ),
        ErrorDefinition(
            .systemCallFailed,
            .resource,
            meaning: "The operating system refused a timer, a thread, a signal descriptor or an epoll instance.",
            recovery: "Look at the limits of the service on open files, tasks and memory."
        ),
        ErrorDefinition(
            .outputClosed,
            .configuration,
            meaning: "The reader of standard output is gone; the agent ends when no other sink is left.",
            recovery: "Nothing; it is how a pipe to another program ends."
        ),
        ErrorDefinition(
            .stateUnavailable,
            .unsafeStorage,
            meaning:
                "The state directory could not be used; the agent continues with an identity that lasts until it stops.",
            recovery: "Create the directory and make it writable for the agent's user."
        ),
        ErrorDefinition(
            .stateUnsafe,
            .configuration,
            meaning:
                "Others than the agent's user can change the state directory; the agent keeps nothing there and continues.",
            recovery: "Give the directory to the agent's user, take write access from all others, and restart."
        ),
        ErrorDefinition(
            .reloadRefused,
            .configuration,
            meaning:
                "The configuration was to be read again and has a mistake; the old one stays in force in every part.",
            recovery: "Mend the configuration, see 'sonde check', then 'sonde reload'."
        ),
        ErrorDefinition(
            .reloadNeedsRestart,
            .configuration,
            meaning:
                "A changed key holds for the life of the process; the old configuration stays in force in every part.",
            recovery: "Restart the agent, or take the change of these keys back and reload."
        ),
        ErrorDefinition(
            .reloadInterrupted,
            .transient,
            meaning: "A reload did not end in time, or the agent was stopping.",
            recovery: "See the log and 'sonde status' for what holds it up, and reload again."
        ),
        ErrorDefinition(
            .clockSuspect,
            .transient,
            meaning: "The wall clock shows a time that is over; samples are held, and stamped when it is right.",
            recovery: "Set the clock with 'timedatectl' or 'chronyc makestep', and have a time daemon keep it."
        ),
        ErrorDefinition(
            .savingForLimits,
            .resource,
            meaning: "The agent collects less, in the order of agent.limits, to stay within them.",
            recovery:
                "Nothing, if the load passes: steps are taken back by themselves; otherwise raise agent.limits, or "
                + "configure less."
        ),
        ErrorDefinition(
            .limitExceeded,
            .resource,
            meaning: "The agent uses more than agent.limits allow, and there is nothing left that it could save.",
            recovery: "Raise agent.limits, or remove sources; 'sonde status' has what is used."
        ),
    ]
}

extension ErrorCode {
    /// A collection took longer than the source's interval.
    public static let callOverran = ErrorCode("SND-RUN001")
    /// A call into a plugin has not returned by its deadline.
    public static let callHangs = ErrorCode("SND-RUN002")
    /// A receiver refused a batch permanently.
    public static let batchRefused = ErrorCode("SND-RUN003")
    /// Points were still waiting when the stop was over.
    public static let undeliveredAtStop = ErrorCode("SND-RUN004")
    /// The operating system refused something that the agent needs.
    public static let systemCallFailed = ErrorCode("SND-RUN005")
    /// The state directory could not be used.
    public static let stateUnavailable = ErrorCode("SND-RUN006")
    /// Others can change the state directory.
    public static let stateUnsafe = ErrorCode("SND-RUN010")
    /// The configuration that was to be taken has a mistake.
    public static let reloadRefused = ErrorCode("SND-RUN007")
    /// The configuration that was to be taken needs a restart.
    public static let reloadNeedsRestart = ErrorCode("SND-RUN008")
    /// A reload did not end.
    public static let reloadInterrupted = ErrorCode("SND-RUN009")
    /// The wall clock shows a time that is over.
    public static let clockSuspect = ErrorCode("SND-RUN011")
    /// The agent collects less to stay within its limits.
    public static let savingForLimits = ErrorCode("SND-RUN012")
    /// The limits of the agent are exceeded with nothing left to save.
    public static let limitExceeded = ErrorCode("SND-RUN013")
    /// The reader of the standard output has closed it.
    public static let outputClosed = ErrorCode("SND-OUT001")
}
