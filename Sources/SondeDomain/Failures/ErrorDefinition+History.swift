extension ErrorDefinition {
    /// What can happen to the history.
    public static let history: [ErrorDefinition] = [
        ErrorDefinition(
            .historyUnusable,
            .unsafeStorage,
            meaning: "The history cannot be made, opened or kept where it is; nothing else of the agent depends on it.",
            recovery: "Make the state directory writable for the agent's user, on a local file system."
        ),
        ErrorDefinition(
            .historyFull,
            .resource,
            meaning: "There is no room for the history; what is gathered waits in memory, an hour of each series.",
            recovery: "Free room on the file system of the state directory, or lower agent.history.max_bytes."
        ),
        ErrorDefinition(
            .historyWriteFailed,
            .transient,
            meaning: "The history could not be read or written for now; what is gathered waits in memory.",
            recovery: "Look for disk errors in the system's log, and for programs that lock history.db."
        ),
        ErrorDefinition(
            .historyDamaged,
            .corruptInput,
            meaning: "The history was damaged; it was set aside and a new one begun.",
            recovery: "Look for disk errors; deleting history.db.set-aside in the state directory ends this report."
        ),
        ErrorDefinition(
            .historyForeign,
            .corruptInput,
            meaning: "history.db was the database of another program; it was set aside and a new one begun.",
            recovery: "Find out who has put history.db.set-aside there; moving it away ends this report."
        ),
        ErrorDefinition(
            .historyNewer,
            .corruptInput,
            meaning: "The history was written by a later version of the agent; it was set aside and a new one begun.",
            recovery: "After an upgrade, stop the agent and give history.db.set-aside its name back."
        ),
        ErrorDefinition(
            .historyHeld,
            .transient,
            meaning: "Another program has been reading the history for so long that its log cannot be emptied.",
            recovery: "End programs that hold history.db open in a transaction, like sqlite3."
        ),
        ErrorDefinition(
            .historyRowDamaged,
            .corruptInput,
            meaning: "Rows of the history do not bear their checksum; their steps are absent and the rest stays.",
            recovery: "Look for disk errors; no action is needed: the rows are overwritten in time."
        ),
        ErrorDefinition(
            .historyExportFailed,
            .resource,
            meaning: "The file of an export cannot be written; what was there before is as it was.",
            recovery: "Name a file in a folder that you may write to, on a file system with room."
        ),
        ErrorDefinition(
            .historyTooLarge,
            .resource,
            meaning: "The history is larger than agent.history.max_bytes: it was made smaller, or could not be.",
            recovery: "Raise agent.history.max_bytes to keep more series; free room where it could not be made smaller."
        ),
        ErrorDefinition(
            .historyOff,
            .configuration,
            meaning: "The agent keeps no history: it has no state directory.",
            recovery: "Set agent.state_dir and restart the agent; 'sonde status' says why one that is set is not used."
        ),
    ]
}

extension ErrorCode {
    /// The history cannot be made or opened.
    public static let historyUnusable = ErrorCode("SND-HIS001")
    /// There is no room for the history.
    public static let historyFull = ErrorCode("SND-HIS002")
    /// The history could not be read or written.
    public static let historyWriteFailed = ErrorCode("SND-HIS003")
    /// A history that was damaged.
    public static let historyDamaged = ErrorCode("SND-HIS004")
    /// A file that is no history.
    public static let historyForeign = ErrorCode("SND-HIS005")
    /// A history of a later version.
    public static let historyNewer = ErrorCode("SND-HIS006")
    /// A reader keeps the log of the history from being emptied.
    public static let historyHeld = ErrorCode("SND-HIS007")
    /// Rows without their checksum.
    public static let historyRowDamaged = ErrorCode("SND-HIS008")
    /// The file of an export cannot be written.
    public static let historyExportFailed = ErrorCode("SND-HIS009")
    /// The agent keeps no history.
    public static let historyOff = ErrorCode("SND-HIS011")
    /// A history that is larger than its bound.
    public static let historyTooLarge = ErrorCode("SND-HIS010")
}
