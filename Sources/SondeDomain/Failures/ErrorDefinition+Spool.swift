extension ErrorDefinition {
    static let spool: [ErrorDefinition] = [
        ErrorDefinition(
            .spoolLocked,
            .resource,
            meaning: "Another agent uses the same spool directory; a spool belongs to one process.",
            recovery: "Stop the other agent, or give this one its own state directory."
        ),
        ErrorDefinition(
            .spoolUnusable,
            .unsafeStorage,
            meaning: "The spool directory cannot be made, opened or written to.",
            recovery: "Make the state directory writable for the agent's user, and free room on its file system."
        ),
        ErrorDefinition(
            .spoolDamaged,
            .corruptInput,
            meaning: "A part of the spool could not be read; it was set aside and what it held is counted as lost.",
            recovery: "Look for disk errors; what was set aside is in the spool's quarantine folder."
        ),
        ErrorDefinition(
            .spoolVersionUnknown,
            .corruptInput,
            meaning: "The spool was written by a later version of the agent; it is set aside whole and not changed.",
            recovery: "After an upgrade, stop the agent and give the folder its name back: what waits is delivered."
        ),
        ErrorDefinition(
            .spoolWriteFailed,
            .unsafeStorage,
            meaning:
                "The disk refused or lost a write; the data was written again to a new file where that was possible.",
            recovery: "Look for disk errors in the system's log; a power cut may lose what was not written again."
        ),
        ErrorDefinition(
            .spoolFull,
            .resource,
            meaning:
                "The spool's file system has no room; memory holds what comes, then agent.spool.overflow decides.",
            recovery: "Free room, or lower agent.spool.max_bytes to what the file system can hold."
        ),
        ErrorDefinition(
            .spoolDirectoryGone,
            .unsafeStorage,
            meaning: "The spool directory was removed while the agent ran; it was made again, what it held is lost.",
            recovery: "Find out what removed it; nothing else may touch the state directory."
        ),
        ErrorDefinition(
            .spoolSinkUnknown,
            .permanentData,
            meaning: "A request about the spool names a sink that this agent does not have.",
            recovery: "Look at 'sonde spool list' for the sinks there are."
        ),
        ErrorDefinition(
            .spoolSinkEnded,
            .permanentData,
            meaning: "The sink of an order has ended; the order will not be run.",
            recovery: "Start the agent again and repeat the order."
        ),
        ErrorDefinition(
            .spoolOrdersFull,
            .rateLimited,
            meaning: "As many replays and purges of one sink are open as it takes.",
            recovery: "Wait until some have ended."
        ),
        ErrorDefinition(
            .deadLetterMissing,
            .permanentData,
            meaning: "There is no dead letter of that name, or there is no folder for dead letters.",
            recovery: "Look at 'sonde spool list' for the names; dead letters are kept below agent.state_dir."
        ),
        ErrorDefinition(
            .deadLetterUnreadable,
            .corruptInput,
            meaning: "A dead letter cannot be offered again: its exact form is damaged or missing.",
            recovery: "Its lines can still be read; send them by hand, then remove it with 'sonde spool purge'."
        ),
        ErrorDefinition(
            .spoolForeign,
            .corruptInput,
            meaning:
                "The spool was written on another machine, as after cloning a disk; that machine's agent delivers it.",
            recovery:
                "Remove agent-id and spool/ from images; if the other machine is gone, look into the quarantine folder."
        ),
        ErrorDefinition(
            .spoolCursorLost,
            .corruptInput,
            meaning:
                "A sink's cursor was missing, unreadable or another's; what the log still holds is delivered again.",
            recovery: "Find out what touched the files in the spool's folder; the receiver may have points twice."
        ),
        ErrorDefinition(
            .spoolFailed,
            .unsafeStorage,
            meaning: "The spool's disk has failed for 30 s; memory holds what comes until the agent is restarted.",
            recovery: "Repair the disk and restart the agent; what is on the disk is delivered then."
        ),
    ]
}

extension ErrorCode {
    /// Another agent uses the spool directory.
    public static let spoolLocked = ErrorCode("SND-SPL001")
    /// The spool directory cannot be used.
    public static let spoolUnusable = ErrorCode("SND-SPL002")
    /// A part of the spool could not be read.
    public static let spoolDamaged = ErrorCode("SND-SPL003")
    /// A spool of a later version.
    public static let spoolVersionUnknown = ErrorCode("SND-SPL004")
    /// The disk refused or lost a write.
    public static let spoolWriteFailed = ErrorCode("SND-SPL005")
    /// The file system of the spool is full.
    public static let spoolFull = ErrorCode("SND-SPL006")
    /// The spool directory was removed while the agent ran.
    public static let spoolDirectoryGone = ErrorCode("SND-SPL007")
    /// A sink that the agent does not have.
    public static let spoolSinkUnknown = ErrorCode("SND-SPL008")
    /// The sink of an order has ended.
    public static let spoolSinkEnded = ErrorCode("SND-SPL009")
    /// Too many orders of a sink are open.
    public static let spoolOrdersFull = ErrorCode("SND-SPL010")
    /// There is no such dead letter.
    public static let deadLetterMissing = ErrorCode("SND-SPL012")
    /// A dead letter cannot be offered again.
    public static let deadLetterUnreadable = ErrorCode("SND-SPL013")
    /// The spool came from another machine.
    public static let spoolForeign = ErrorCode("SND-SPL014")
    /// A sink's place in the log is not known.
    public static let spoolCursorLost = ErrorCode("SND-SPL015")
    /// The disk failed for too long.
    public static let spoolFailed = ErrorCode("SND-SPL016")
}
