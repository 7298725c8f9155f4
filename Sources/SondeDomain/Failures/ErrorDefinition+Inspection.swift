extension ErrorCode {
    /// No plugin reads files of this kind.
    public static let inspectionUnsuited = ErrorCode("SND-INS001")
    /// The file cannot be opened or read.
    public static let inspectionUnreadable = ErrorCode("SND-INS002")
}

extension ErrorDefinition {
    static let inspection: [ErrorDefinition] = [
        ErrorDefinition(
            .inspectionUnsuited,
            .corruptInput,
            meaning: "No installed plugin reads files of this kind; the message has each plugin's reason.",
            recovery: "Name a file that 'sonde plugins describe NAME' of some plugin lists, or install its plugin."
        ),
        ErrorDefinition(
            .inspectionUnreadable,
            .configuration,
            meaning: "The file to inspect cannot be opened or read.",
            recovery: "Correct the path, or make the file readable."
        ),
    ]
}
