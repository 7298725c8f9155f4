internal import SondeDomain
internal import SondePluginKit

extension FileSink {
    static let errors: [PluginDescriptor.ErrorDefinition] = optionErrors + storageErrors + upkeepErrors

    private static let optionErrors: [PluginDescriptor.ErrorDefinition] = [
        PluginDescriptor.ErrorDefinition(
            "SND-FIL001",
            meaning: "An option has a value that cannot be used.",
            recovery: "Correct the option; the message says what it wants."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL002",
            meaning: "The file's directory does not exist.",
            recovery: "Create the directory or mount its disk; delivery resumes by itself."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL003",
            meaning: "The agent's user may not read and write the file or its directory.",
            recovery: "Change the owner or the mode that the hint names."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL004",
            meaning: "A directory, FIFO, socket or device lies at the path.",
            recovery: "Name a regular file; for a stream use the plugin stdout."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL005",
            meaning: "The path leads nowhere: a loop of symbolic links or a name that is too long.",
            recovery: "Correct the path or its links."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL006",
            meaning: "Another sink, of this agent or another one, writes the file.",
            recovery: "Give every file sink a path of its own."
        ),
    ]

    private static let storageErrors: [PluginDescriptor.ErrorDefinition] = [
        PluginDescriptor.ErrorDefinition(
            "SND-FIL010",
            meaning: "The disk is full; the batch was taken back from the file and waits in the spool.",
            recovery: "Free space, or lower rotate.size and rotate.keep."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL011",
            meaning: "The disk quota is used up; the batch was taken back and waits in the spool.",
            recovery: "Raise the quota, or lower rotate.size and rotate.keep."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL012",
            meaning: "The file has reached a size limit of the process or the file system.",
            recovery: "Set rotate.size below the limit."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL013",
            meaning: "The agent is out of file descriptors or memory.",
            recovery: "Raise the limit; delivery resumes by itself."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL020",
            meaning: "The file system is read-only.",
            recovery: "Remount it writable and look for disk errors in the kernel log."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL021",
            meaning: "The disk refused a read or a write.",
            recovery: "Look for disk errors in the kernel log."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL022",
            meaning: "The disk lost a write: forcing a batch to it failed, and the batch is written again.",
            recovery: "Look for disk errors in the kernel log; earlier lines may be damaged."
        ),
    ]

    private static let upkeepErrors: [PluginDescriptor.ErrorDefinition] = [
        PluginDescriptor.ErrorDefinition(
            "SND-FIL030",
            meaning: "The file could not be rotated, and writing goes on in it; logged only.",
            recovery: "Let the agent's user write the directory; it is tried again every minute."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL031",
            meaning: "A rotated file could not be compressed and stays as it is; logged only.",
            recovery: "Free space; it is tried again at the next rotation."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL040",
            meaning: "The operating system reported another failure on the file.",
            recovery: "It is tried again; the message names the failure."
        ),
    ]
}
