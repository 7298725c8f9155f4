/// The origin of the texts of a configuration.
///
/// Everything else, from parsing to the comparison with the configuration in force, is independent of it.
public protocol ConfigurationOrigin: Sendable {
    /// Every text, the main one first, or the reason why there is none.
    ///
    /// Takes as long as disks do; called from one thread at a time.
    func read() -> [ConfigurationPart]
}

/// One text of a configuration.
public struct ConfigurationPart: Sendable {
    /// Its name in marks: the path of a file.
    public let name: String
    /// What it holds, or why it cannot be read.
    public let contents: Result<FileContents, ConfigurationProblem>
    /// Whether there is nothing of its name.
    public let isAbsent: Bool
    /// Whether it comes from elsewhere, and may not hold everything.
    public let isRemote: Bool

    /// A text, or the problem in its place.
    public init(
        _ name: String, _ contents: Result<FileContents, ConfigurationProblem>, isAbsent: Bool = false,
        isRemote: Bool = false
    ) {
        self.name = name
        self.contents = contents
        self.isAbsent = isAbsent
        self.isRemote = isRemote
    }
}
