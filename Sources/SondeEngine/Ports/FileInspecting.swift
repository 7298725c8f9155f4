public import SondeDomain

/// A file to be read offline.
public struct InspectedFile: Sendable {
    /// Open for reading, at the position after `head`.
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

/// How an inspection ended without failure.
public enum InspectionOutcome: Hashable, Sendable {
    /// The report was written.
    case completed
    /// It ended early, because it was cancelled or the output was closed.
    case cancelled
    /// The plugin does not read this file, for the reason given; nothing was read or written.
    case unsuited(SondeError)
    /// The plugin reads no files.
    case notOffered
}

/// A plugin that may be able to read files offline.
public protocol FileInspecting: LoadedPlugin {
    /// Reads one file and passes the report to `write`, which returns whether it was taken.
    ///
    /// An instance is made for it, with the default of every option, and freed again.
    func inspect(
        _ file: InspectedFile,
        services: any PluginServices,
        _ call: CallConditions,
        write: @escaping (UnsafeRawBufferPointer) -> Bool
    ) throws(SondeError) -> InspectionOutcome
}
