extension ErrorCode {
    /// The file is no recording of a version that is read.
    public static let noRecording = ErrorCode("SND-REC001")
    /// The recording contradicts itself.
    public static let recordingDamaged = ErrorCode("SND-REC002")
    /// The recording cannot be written or read.
    public static let recordingUnusable = ErrorCode("SND-REC003")
    /// The configuration has nothing to record, or the recording nothing for it.
    public static let nothingRecorded = ErrorCode("SND-REC004")
}

extension ErrorDefinition {
    static let recording: [ErrorDefinition] = [
        ErrorDefinition(
            .noRecording,
            .corruptInput,
            meaning: "The file is no recording, or one of another version.",
            recovery: "Name a directory that 'sonde record' made, or use the version of sonde that made it."
        ),
        ErrorDefinition(
            .recordingDamaged,
            .corruptInput,
            meaning: "The recording contradicts itself at the byte that the message names.",
            recovery: "Copy it again from where it was made, or record again."
        ),
        ErrorDefinition(
            .recordingUnusable,
            .configuration,
            meaning: "The recording cannot be written or read.",
            recovery: "Name a directory that is not there yet to record, and one that 'sonde record' made to replay."
        ),
        ErrorDefinition(
            .nothingRecorded,
            .configuration,
            meaning: "The configuration has no source that can be recorded, or none that is in the recording.",
            recovery: "Name a configuration with a source of procnet, dnslog or pcap, the one that was recorded with."
        ),
    ]
}
