public import SondeDomain

/// A file to be read offline.
public struct InspectedFile: Sendable {
    /// Open for reading, behind what is in `head`.
    public let descriptor: Int32
    /// The beginning of the file.
    public let head: [UInt8]
    /// For messages.
    public let path: String
    /// `table` or `json`.
    public let format: String

    /// A file.
    public init(descriptor: Int32, head: [UInt8], path: String, format: String) {
        self.descriptor = descriptor
        self.head = head
        self.path = path
        self.format = format
    }
}

/// How an inspection ended when it did not fail.
public enum InspectionOutcome: Hashable, Sendable {
    /// The report was written.
    case completed
    /// It ended early, because it was cancelled or nobody takes the output.
    case cancelled
    /// The file is none of this plugin's, for the reason given; nothing was read or written.
    case unsuited(SondeError)
    /// The plugin reads no files.
    case notOffered
}

/// A plugin that may be able to read files offline.
public protocol FileInspecting: LoadedPlugin {
    /// Reads one file and hands the report to `write`, which says whether it was taken.
    ///
    /// An instance is made for it, with the default of every option, and freed again.
    func inspect(
        _ file: InspectedFile,
        services: any PluginServices,
        _ call: CallConditions,
        write: @escaping (UnsafeRawBufferPointer) -> Bool
    ) throws(SondeError) -> InspectionOutcome
}
