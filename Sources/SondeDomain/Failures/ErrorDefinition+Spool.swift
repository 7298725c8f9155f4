extension ErrorDefinition {
    static let spool: [ErrorDefinition] = [
        ErrorDefinition(
            .spoolLocked,
            .resource,
            meaning: "Another agent uses the same spool directory; a spool belongs to one process.",
            recovery: "Stop the other agent, or give this one a state directory of its own."
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
            recovery: "Look for disk errors; what was set aside lies in the spool's quarantine folder."
        ),
        ErrorDefinition(
            .spoolVersionUnknown,
            .corruptInput,
            meaning: "A spool file was written by another version of the agent; it was renamed and left alone.",
            recovery: "Run that version to deliver what the file holds, or delete it."
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
            meaning: "The file system of the spool has no room left; agent.spool.overflow decides what gives way.",
            recovery: "Free room, or lower agent.spool.max_bytes to what the file system can hold."
        ),
        ErrorDefinition(
            .spoolDirectoryGone,
            .unsafeStorage,
            meaning: "The spool directory was removed while the agent ran; it was made again, what it held is lost.",
            recovery: "Find out what removed it; nothing else may touch the state directory."
        ),
        ErrorDefinition(
            .spoolForeign,
            .corruptInput,
            meaning:
                "The spool was written on another machine, as after cloning a disk; that machine's agent delivers it.",
            recovery:
                "Remove agent-id and spool/ from images; if the other machine is gone, look into the quarantine folder."
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
    /// A spool file of another version.
    public static let spoolVersionUnknown = ErrorCode("SND-SPL004")
    /// The disk refused or lost a write.
    public static let spoolWriteFailed = ErrorCode("SND-SPL005")
    /// The file system of the spool is full.
    public static let spoolFull = ErrorCode("SND-SPL006")
    /// The spool directory was removed while the agent ran.
    public static let spoolDirectoryGone = ErrorCode("SND-SPL007")
    /// The spool came from another machine.
    public static let spoolForeign = ErrorCode("SND-SPL008")
}
