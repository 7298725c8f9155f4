extension ErrorCode {
    /// No directory holds a plugin of that name.
    public static let pluginNotFound = ErrorCode("SND-PLG001")
    /// The name cannot be a plugin's.
    public static let pluginNameInvalid = ErrorCode("SND-PLG002")
    /// Another user could have written the file.
    public static let pluginFileUntrusted = ErrorCode("SND-PLG003")
    /// Another user could have put the file there.
    public static let pluginDirectoryUntrusted = ErrorCode("SND-PLG004")
    /// The file cannot be opened or read, or is no regular file.
    public static let pluginUnreadable = ErrorCode("SND-PLG005")
    /// The file is no ELF file.
    public static let pluginNotAnObject = ErrorCode("SND-PLG006")
    /// The file is an ELF file whose tables contradict each other or the file's size.
    public static let pluginObjectBroken = ErrorCode("SND-PLG007")
    /// The file is an ELF file for another machine, or no shared object.
    public static let pluginObjectForeign = ErrorCode("SND-PLG008")
    /// The object carries no version record.
    public static let pluginVersionMissing = ErrorCode("SND-PLG009")
    /// The version record is too short, or there are several that differ.
    public static let pluginVersionBroken = ErrorCode("SND-PLG010")
    /// The object was made for another major version of the contract.
    public static let pluginVersionUnknown = ErrorCode("SND-PLG011")
    /// The object was made by another Swift compiler.
    public static let pluginRuntimeDiffers = ErrorCode("SND-PLG012")
    /// The dynamic linker refused the object.
    public static let pluginLinkFailed = ErrorCode("SND-PLG013")
    /// The object does not export its entry function.
    public static let pluginEntryMissing = ErrorCode("SND-PLG014")
    /// The entry function returned no table, or one that is too short.
    public static let pluginTableBroken = ErrorCode("SND-PLG015")
    /// The table lacks a function that its kind must offer.
    public static let pluginFunctionMissing = ErrorCode("SND-PLG016")
    /// The description is no JSON, or not what the specification asks for.
    public static let pluginDescriptionMalformed = ErrorCode("SND-PLG017")
    /// The description gives another name than the file.
    public static let pluginNameDiffers = ErrorCode("SND-PLG018")
    /// Table and description disagree about source or sink.
    public static let pluginKindDiffers = ErrorCode("SND-PLG019")
    /// A source is configured as a sink, or the other way round.
    public static let pluginKindUnsuited = ErrorCode("SND-PLG020")
    /// A plugin failed without naming an error.
    public static let pluginErrorUnnamed = ErrorCode("SND-PLG021")
    /// A plugin did what the contract forbids.
    public static let pluginContractBroken = ErrorCode("SND-PLG022")
    /// Some sample or series of a plugin could not be taken.
    public static let sampleRejected = ErrorCode("SND-PLG024")
    /// A plugin has not returned from create or destroy in time.
    public static let pluginOverstays = ErrorCode("SND-PLG026")
    /// The process of an isolated instance has ended.
    public static let childEnded = ErrorCode("SND-PLG027")
    /// The process of an isolated instance does not speak the protocol of children.
    public static let childBrokeProtocol = ErrorCode("SND-PLG028")
    /// The limits of an instance cannot be kept.
    public static let limitNotKept = ErrorCode("SND-PLG035")
    /// An instance cannot be confined as it is configured.
    public static let sandboxUnsuited = ErrorCode("SND-PLG040")
    /// The system refuses to confine a process.
    public static let sandboxRefused = ErrorCode("SND-PLG041")
    /// A receiver took points out of a batch.
    public static let pointRejected = ErrorCode("SND-PLG025")
    /// A child process that linked the object was killed by a signal.
    public static let pluginObjectCrashes = ErrorCode("SND-PLG023")
}

extension ErrorDefinition {
    static let loading = finding + checking + linking + calling

    private static let finding: [ErrorDefinition] = [
        ErrorDefinition(
            .pluginNotFound,
            .configuration,
            meaning: "No plugin directory holds a plugin of that name.",
            recovery: "Correct the name, install the plugin, or name its directory in agent.plugin_dirs."
        ),
        ErrorDefinition(
            .pluginNameInvalid,
            .configuration,
            meaning: "The name cannot be a plugin's: [a-z][a-z0-9_]{0,31}.",
            recovery: "Correct the name."
        ),
        ErrorDefinition(
            .pluginFileUntrusted,
            .configuration,
            meaning: "The plugin's file belongs to, or can be written by, a user who is neither root nor the agent's.",
            recovery: "Give the file to root and take the write permission of others away, after a look at what it is."
        ),
        ErrorDefinition(
            .pluginDirectoryUntrusted,
            .configuration,
            meaning: "A directory above the plugin belongs to, or can be written by, another user.",
            recovery: "Give the directory to root and take the write permission of others away, or move the plugin."
        ),
        ErrorDefinition(
            .pluginUnreadable,
            .configuration,
            meaning: "The plugin's file cannot be opened or read, or is no regular file.",
            recovery: "Make the file readable for the agent, or install the plugin again."
        ),
    ]

    private static let checking: [ErrorDefinition] = [
        ErrorDefinition(
            .pluginNotAnObject,
            .configuration,
            meaning: "The plugin's file is no ELF file.",
            recovery: "Install the plugin's shared object under that name."
        ),
        ErrorDefinition(
            .pluginObjectBroken,
            .configuration,
            meaning: "The plugin's file is a damaged ELF file.",
            recovery: "Install the plugin again."
        ),
        ErrorDefinition(
            .pluginObjectForeign,
            .configuration,
            meaning:
                "The plugin's file is made for another machine, is no shared object, or asks for an executable stack.",
            recovery: "Install the build of the plugin that is made for this machine."
        ),
        ErrorDefinition(
            .pluginVersionMissing,
            .configuration,
            meaning: "The object carries no version record of the plugin contract.",
            recovery: "If it is a plugin: build it with SONDE_PLUGIN_ABI or SondePluginKit, and do not strip sections."
        ),
        ErrorDefinition(
            .pluginVersionBroken,
            .configuration,
            meaning: "The object's version record is too short, or it carries several that differ.",
            recovery: "Build the plugin again from clean sources."
        ),
        ErrorDefinition(
            .pluginVersionUnknown,
            .configuration,
            meaning: "The plugin was made for another major version of the plugin contract.",
            recovery: "Install the build of the plugin that belongs to this version of the agent."
        ),
        ErrorDefinition(
            .pluginRuntimeDiffers,
            .configuration,
            meaning: "The plugin was made by another Swift compiler than the agent; Swift on Linux has no stable ABI.",
            recovery: "Build the plugin with the agent's compiler, which sonde version names."
        ),
    ]

    private static let linking: [ErrorDefinition] = [
        ErrorDefinition(
            .pluginLinkFailed,
            .configuration,
            meaning: "The dynamic linker refused the plugin, most often for a library that is missing.",
            recovery: "Install the library that the message names."
        ),
        ErrorDefinition(
            .pluginEntryMissing,
            .configuration,
            meaning: "The object does not export the entry function that its file name asks for.",
            recovery: "Give the file the plugin's own name, or export the function with SONDE_EXPORT."
        ),
        ErrorDefinition(
            .pluginTableBroken,
            .programmer,
            meaning: "The entry function returned no table of functions, or one that is too short.",
            recovery: "Report it to the plugin's author."
        ),
        ErrorDefinition(
            .pluginFunctionMissing,
            .programmer,
            meaning: "The plugin's table lacks a function that its kind must offer.",
            recovery: "Report it to the plugin's author."
        ),
        ErrorDefinition(
            .pluginDescriptionMalformed,
            .programmer,
            meaning: "The plugin's description is not what docs/spec/plugin-description.md asks for.",
            recovery: "Report it to the plugin's author."
        ),
        ErrorDefinition(
            .pluginNameDiffers,
            .configuration,
            meaning: "The plugin's description gives another name than its file.",
            recovery: "Give the file the plugin's own name."
        ),
        ErrorDefinition(
            .pluginKindDiffers,
            .programmer,
            meaning: "The plugin's table and its description disagree about whether it is a source or a sink.",
            recovery: "Report it to the plugin's author."
        ),
    ]

    private static let calling: [ErrorDefinition] = [
        ErrorDefinition(
            .pluginObjectCrashes,
            .configuration,
            meaning: "A child process that linked the shared object and had it describe itself crashed or hung.",
            recovery: "Install the plugin again; if that changes nothing, report it to its author."
        ),
        ErrorDefinition(
            .pluginKindUnsuited,
            .configuration,
            meaning: "A sink is configured under sources, or a source under sinks.",
            recovery: "Move the entry to the other section."
        ),
        ErrorDefinition(
            .pluginErrorUnnamed,
            .programmer,
            meaning: "A plugin failed without naming an error.",
            recovery: "Report it to the plugin's author."
        ),
        ErrorDefinition(
            .pluginContractBroken,
            .programmer,
            meaning: "A plugin did what the contract forbids; what it handed over in that call was not taken.",
            recovery: "Report it to the plugin's author."
        ),
        ErrorDefinition(
            .sampleRejected,
            .programmer,
            meaning:
                "A source brought samples, or opened series, that cannot be taken; the rest of the commit was taken.",
            recovery: "Report it to the plugin's author; at the bound on series, raise series_limit of the source."
        ),
        ErrorDefinition(
            .pluginOverstays,
            .programmer,
            meaning: "A plugin has not returned from create or destroy within ten seconds; its thread is left behind.",
            recovery: "Report it to the plugin's author; the instance cannot be used."
        ),
        ErrorDefinition(
            .childEnded,
            .programmer,
            meaning:
                "The process of an instance that runs isolated has crashed, exited, or was killed; another is started.",
            recovery:
                "Look at what it wrote to standard error just before; if it happens again, report it to its author."
        ),
        ErrorDefinition(
            .childBrokeProtocol,
            .programmer,
            meaning:
                "The process of an instance that runs isolated closed its channel, sent what cannot be, or shows no life; it is killed and another is started.",
            recovery: "Report it to the plugin's author."
        ),
        ErrorDefinition(
            .limitNotKept,
            .configuration,
            meaning:
                "An instance has limits that cannot be kept: it runs in the agent's process, or cannot be watched.",
            recovery: "Give the instance a process of its own, change the limit that the message names, or remove it."
        ),
        ErrorDefinition(
            .sandboxUnsuited,
            .configuration,
            meaning: "A source is to be confined whose plugin is not made for it, or that runs in the agent's process.",
            recovery: "Remove sandbox or isolation from the source; 'sandbox: off' goes without."
        ),
        ErrorDefinition(
            .sandboxRefused,
            .configuration,
            meaning: "The process of a source could not give up its privileges, and is not run with them.",
            recovery:
                "Allow what the message names in the unit, or run a kernel with Landlock; 'sandbox: off' goes without."
        ),
        ErrorDefinition(
            .pointRejected,
            .permanentData,
            meaning: "A receiver took a batch but for some of its points, which are not sent again.",
            recovery: "Look for the reason in the receiver's own log; 'sonde status' counts the points by metric."
        ),
    ]
}
