/// The bounds of what is read from a configuration file.
struct YAMLLimits: Sendable {
    var bytes = 1 << 20
    var depth = 64
    var nodes = 100_000
    /// The text of all values, with aliases counted expanded.
    var textBytes = 4 << 20
    /// Over all files.
    var totalBytes = 16 << 20
}
