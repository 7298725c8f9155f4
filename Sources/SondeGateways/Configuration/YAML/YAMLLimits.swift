/// The bounds of what is read from a configuration file.
struct YAMLLimits: Sendable {
    var bytes = 1 << 20
    var depth = 64
    var nodes = 100_000
}
